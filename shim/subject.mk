# SPDX-License-Identifier: GPL-2.0-only
# Build one subject: tree + series + configuration. Called by the top
# Makefile with S=NAME; knows how the tree's files are compiled, nothing of
# where the tree came from (build/subject/$(S)/settings.mk says that).
#
#   tree, series --> gen/ (asm wrappers, autoconf, bounds, tables)
#     |                |
#     v                v
#   obj/*.o  <--- shim/asm, shim/kernel
#     |  ld -r, then: missing symbols listed by name, the rest made local
#     v
#   kernel.o + stubs.o + host objects --> raid5sim
MAKEFLAGS	+= -rR
SHELL		:= /bin/sh
D		:= build/subject/$(S)
include $(D)/settings.mk
# settings.mk: MD TREE PRIV CONFIG BITS PAGE SAN LOCKDEP CC OPT SERIES

# A series that touches only drivers/md leaves all other objects as they are:
# such subjects share them with every subject of the same tree and settings.
OUTSIDE_MD	:= $(if $(PRIV),$(filter-out drivers/md/% Documentation/%,\
		     $(shell cat $(PRIV)/.files)))
EMPTY		:=
COMMA		:= ,
BASE_NAME	:= $(subst /,_,$(patsubst build/tree/%,%,$(TREE)))-$(CONFIG)
$(foreach v,BITS PAGE SAN LOCKDEP,$(eval BASE_NAME := $(BASE_NAME)-$($(v))))
COMPILER	:= $(subst /,_,$(subst $(EMPTY) $(EMPTY),,$(CC)$(OPT)))
B		:= $(if $(OUTSIDE_MD),$(D),build/base/$(BASE_NAME)-$(COMPILER))
G		:= $(B)/gen
P		:= $(D)/gen
O		:= $(D)/obj
SHIFT_4K	:= 12
SHIFT_16K	:= 14
SHIFT_64K	:= 16
PAGE_SHIFT	:= $(SHIFT_$(PAGE))

# The private copy of a patched file wins over the tree's.
src		= $(firstword $(wildcard $(addsuffix /$(1),$(PRIV) $(TREE))))

# raid456.ko itself: raid5.c comes in through shim/kernel/raid5-unit.c.
MODULE_SRC	:= drivers/md/raid5-cache.c drivers/md/raid5-ppl.c
# Everything below is built in. A file that the tree lacks is left out; what
# it should have defined is then listed as missing, by name.
BUILTIN_INTEGRITY := $(shell grep -qs "^CONFIG_BLK_DEV_INTEGRITY=y" \
		     shim/generated/$(CONFIG).config && echo block/bio-integrity.c)
BUILTIN_SRC	:= crypto/xor.c $(addprefix crypto/async_tx/,async_tx.c \
		   async_memcpy.c async_xor.c async_pq.c async_raid6_recov.c) \
		   block/bio.c block/badblocks.c block/blk-core.c \
		   block/blk-merge.c block/blk-lib.c block/blk-flush.c \
		   block/blk-settings.c $(BUILTIN_INTEGRITY) \
		   kernel/locking/spinlock.c kernel/locking/mutex.c \
		   kernel/locking/rwsem.c \
		   kernel/params.c kernel/time/timeconv.c mm/mempool.c mm/debug.c \
		   $(addprefix lib/,list_sort.c llist.c bitmap.c find_bit.c \
		   kstrtox.c hweight.c ctype.c dec_and_lock.c xarray.c \
		   radix-tree.c percpu-refcount.c cpumask.c list_debug.c \
		   crc32.c string.c idr.c cmdline.c refcount.c hexdump.c \
		   string_helpers.c vsprintf.c siphash.c uuid.c \
		   raid6/algos.c raid6/recov.c math/int_pow.c math/gcd.c \
		   math/lcm.c ratelimit.c \
		   kasprintf.c)
# The md core: the tree's own, with the sysfs that it lives in, or a model.
MD_SRC		:= $(if $(filter real,$(MD)),drivers/md/md.c drivers/md/md-bitmap.c)
SYSFS_SRC	:= $(addprefix fs/sysfs/,dir.c file.c group.c mount.c symlink.c) \
		   $(addprefix fs/kernfs/,dir.c file.c inode.c mount.c symlink.c) \
		   lib/kobject.c lib/kobject_uevent.c lib/rbtree.c \
		   block/holder.c \
		   $(subst bio-,blk-,$(BUILTIN_INTEGRITY))
BUILTIN_SRC	+= $(if $(MD_SRC),$(SYSFS_SRC))
# What the kernel itself compiles in with lock debugging.
LOCKDEP_SRC	:= $(addprefix kernel/locking/,lockdep.c spinlock_debug.c \
		   mutex-debug.c irqflag-debug.c) lib/debug_locks.c \
		   lib/locking-selftest.c
BUILTIN_SRC	+= $(if $(filter 1,$(LOCKDEP)),$(LOCKDEP_SRC))
BUILTIN_SRC	:= $(foreach f,$(BUILTIN_SRC),$(if $(call src,$(f)),$(f)))
# How many unrolled variants the tree has: its own Makefile says.
RAID6_INT	:= $(shell sed -n '/^raid6_pq-y/,/[^\\]$$/p' \
		     $(call src,lib/raid6/Makefile) | \
		     grep -o 'int[0-9][0-9]*\.o' | sort -u)
GEN_SRC		:= $(addprefix raid6-,$(RAID6_INT:.o=.c)) raid6-tables.c
SHIM_SRC	:= $(filter-out %/raid5-unit.c,$(wildcard shim/kernel/*.c)) \
		   $(wildcard shim/kernel/md-$(MD)/*.c)
UNIT_SRC	:= shim/kernel/raid5-unit.c

obj		= $(O)/$(subst /,_,$(1:.c=.o))
base_obj	= $(B)/obj/$(subst /,_,$(1:.c=.o))
KOBJ		:= $(foreach f,$(MODULE_SRC) $(MD_SRC) $(SHIM_SRC) $(UNIT_SRC),\
		     $(call obj,$(f))) \
		   $(foreach f,$(BUILTIN_SRC),$(call base_obj,$(f))) \
		   $(addprefix $(B)/obj/gen_,$(GEN_SRC:.c=.o))

# --- flags ------------------------------------------------------------
GCC_INC		:= $(shell $(CC) -print-file-name=include)
ifneq ($(findstring clang,$(CC)),)
SAN_OFF		:= function -mllvm -asan-stack=0 -mllvm -asan-globals=0
# Two places in the source that become one in the program have no line.
KCC_FLAGS	:= -Qunused-arguments -fno-addrsig -Wno-gnu -Wno-pointer-sign \
		   -mllvm -simplifycfg-sink-common=false \
		   -mllvm -simplifycfg-hoist-common=false \
		   -mllvm -enable-tail-merge=false
else
KCC_FLAGS	:= -fno-crossjumping -fno-tree-tail-merge
SAN_OFF		:= vptr --param asan-stack=0 --param asan-globals=0
endif
SAN_ON		:= -fsanitize=address,undefined \
		   -fno-sanitize=alignment,shift,pointer-overflow,null,object-size \
		   -fno-sanitize=$(SAN_OFF)
LINK_R		:= -nostdlib -r $(if $(findstring clang,$(CC)),,-no-pie)
SAN_FLAGS	:= $(if $(filter 1,$(SAN)),$(SAN_ON))
M_FLAG		:= $(if $(filter 32,$(BITS)),-m32 -march=i686)
CONFIGS		:= shim/generated/common.config \
		   shim/generated/$(CONFIG).config \
		   shim/generated/bits$(BITS).config \
		   $(if $(filter 1,$(LOCKDEP)),shim/generated/lockdep.config)
KINC		:= -Ishim -I$(G) -I$(G)/include \
		   $(if $(PRIV),-I$(PRIV)/include -I$(PRIV)/include/uapi) \
		   -I$(TREE)/include -I$(TREE)/include/uapi \
		   -I$(G)/include/generated/uapi
KFLAGS		= -nostdinc -isystem $(GCC_INC) $(KINC) \
		  -include $(call src,include/linux/compiler-version.h) \
		  -include $(call src,include/linux/kconfig.h) \
		  -include $(call src,include/linux/compiler_types.h) \
		  -D__KERNEL__ -DSHIM_PAGE_SHIFT=$(PAGE_SHIFT) $(M_FLAG) \
		  -std=gnu11 -U__x86_64__ -U__x86_64 -U__i386__ -U__i386 \
		  $(OPT) -g -fno-builtin -fno-strict-aliasing \
		  -fno-strict-overflow -fshort-wchar -funsigned-char \
		  -fno-common -fno-pie -fno-pic -fno-stack-protector \
		  -fno-omit-frame-pointer -fno-optimize-sibling-calls \
		  -fno-delete-null-pointer-checks \
		  -Werror=implicit-function-declaration \
		  -Werror=incompatible-pointer-types -Werror=int-conversion \
		  -Werror=return-type -Wno-address-of-packed-member \
		  $(KCC_FLAGS) $(SAN_FLAGS) \
		  -DKBUILD_MODFILE='"raid5sim"' -MD -MP
SUBJECT_DEFS	:= -DSUBJECT_NAME='"$(S)"' -DSUBJECT_CONFIG='"$(CONFIG)"' \
		   -DSUBJECT_MODIFIED=$(if $(PRIV),1,0) \
		   -DSUBJECT_SERIES='"$(SERIES)"' \
		   -DSUBJECT_LOCKDEP=$(LOCKDEP) \
		   -DSUBJECT_MD_MODEL=$(if $(filter model,$(MD)),1,0)
# shim files are ours: all warnings, tree headers as system headers
name_flags	= -DKBUILD_MODNAME='"$(1)"' -DKBUILD_BASENAME='"$(1)"' \
		  -D__KBUILD_MODNAME=kmod_$(1)
modflags	= -DMODULE $(call name_flags,raid456)
md_flags	= -DMODULE $(call name_flags,md_mod)
subject_is	= -D$(1)='"$(2)"'
SUBJECT_FLAGS	:= $(call subject_is,SUBJECT_NAME,$(S)) \
		   $(call subject_is,SUBJECT_CONFIG,$(CONFIG)) \
		   $(call subject_is,SUBJECT_SERIES,$(SERIES)) \
		   -DSUBJECT_BITS=$(BITS) -DSUBJECT_LOCKDEP=$(LOCKDEP) \
		   -DSUBJECT_MODIFIED=$(if $(PRIV),1,0)

# --- generated headers --------------------------------------------------
STAMP		:= $(G)/.stamp
BOUNDS		:= $(G)/include/generated/bounds.h
GEN_READY	:= $(STAMP) $(BOUNDS)

.DELETE_ON_ERROR:
.SECONDARY:
all: $(D)/raid5sim

# A tree may change under us: another checkout, another package.
TREE_MADE_OF	:= $(wildcard $(TREE)/.stamp) $(foreach f,Makefile \
		   include/asm-generic/Kbuild include/uapi/asm-generic/Kbuild \
		   lib/raid6/Makefile lib/raid6/int.uc lib/raid6/unroll.awk \
		   lib/raid6/mktables.c lib/gen_crc32table.c kernel/bounds.c,\
		   $(call src,$(f)))

$(STAMP): shim/subject.mk shim/generated.sh $(CONFIGS) shim/asm/*.h \
		$(TREE_MADE_OF)
	@sh shim/generated.sh "$(TREE)" $(G) $(CONFIGS)
	@touch $@

$(BOUNDS): $(STAMP)
	@$(CC) $(KFLAGS) $(call name_flags,bounds) -MF $(G)/bounds.d -S \
		$(call src,kernel/bounds.c) -o $(G)/bounds.s
	@awk -f shim/bounds.awk $(G)/bounds.s >$@.tmp
	@mv $@.tmp $@

# --- generated sources, by the tree's own generators --------------------
$(G)/raid6-int%.c: $(STAMP)
	@awk -f $(call src,lib/raid6/unroll.awk) -vN=$* \
		<$(call src,lib/raid6/int.uc) >$@
$(G)/mktables: $(STAMP)
	@$(HOSTCC) -I$(TREE)/lib/raid6 $(call src,lib/raid6/mktables.c) -o $@
$(G)/raid6-tables.c: $(G)/mktables
	@$< >$@
$(G)/gen_crc32table: $(STAMP)
	@$(HOSTCC) -I$(G)/lib -I$(TREE)/lib \
		$(call src,lib/gen_crc32table.c) -o $@
$(G)/crc32table.h: $(G)/gen_crc32table
	@$< >$@
HOSTCC		?= gcc

# --- objects ------------------------------------------------------------
# md_mod.ko is a second module in one program: its names get a prefix.
MD_SYMS		:= $(foreach s,init_module cleanup_module __this_module,\
		   --redefine-sym $(s)=md_mod_$(s)) \
		   --rename-section __param=shim_md_param
# Init calls of drivers, crypto and the block layer run at boot. Core code would
# only register itself with sysfs; there is none to register with.
INITCALLS	:= $(foreach n,1 4 6,--rename-section \
		   .initcall$(n).init=shim_initcall$(n))
$(sort $(O) $(B)/obj):
	@mkdir -p $@

define cc_rule
$(4): $(call src,$(1)) $(GEN_READY) $(3) | $(O) $(B)/obj
	@echo "  KCC     $(S) $(1)"
	@$(CC) $$(KFLAGS) $(2) $(if $(filter %/lockdep.c,$(1)),-DSHIM_NO_POINTS) \
		-I$(dir $(call src,$(1))) -c $$< -o $$@
	$(if $(filter crypto/% block/% lib/raid6/%,$(1)),@objcopy $(INITCALLS) $$@)
	$(if $(filter $(1),$(MD_SRC)),@objcopy $(MD_SYMS) $$@)
endef
$(foreach f,$(MD_SRC),$(eval $(call cc_rule,$(f),$(md_flags),$(D)/settings.mk,\
	$(call obj,$(f)))))
$(foreach f,$(MODULE_SRC),$(eval $(call cc_rule,$(f),$(modflags),$(D)/settings.mk,\
	$(call obj,$(f)))))
$(foreach f,$(BUILTIN_SRC),$(eval $(call cc_rule,$(f),\
	$(call name_flags,builtin),$(if $(filter lib/crc32.c,$(f)),\
	$(G)/crc32table.h),$(call base_obj,$(f)))))

$(B)/obj/gen_%.o: $(G)/%.c $(GEN_READY) | $(B)/obj
	@echo "  KCC     $(S) $*.c (generated)"
	@$(CC) $(KFLAGS) $(call name_flags,builtin) -I$(TREE)/lib/raid6 \
		-c $< -o $@

define shim_rule
$(call obj,$(1)): $(1) $(GEN_READY) $(P)/probes.h $(D)/settings.mk | $(O)
	@echo "  KCC     $(S) $(1)"
	@$(CC) $$(KFLAGS) $(call name_flags,shim) $(if $(PRIV),-I$(PRIV)) \
		-I$(TREE) -I$(P) -Wall -Wno-unused-function -Wno-sign-compare \
		-c $$< -o $$@
	@objcopy $(INITCALLS) $$@
endef
$(foreach f,$(SHIM_SRC),$(eval $(call shim_rule,$(f))))

# What __must_hold() says leaves nothing in a compiled kernel: it is checked as
# each function of the driver begins.
$(P)/must-hold.h: shim/must-hold.awk $(call src,drivers/md/raid5.c) \
		$(D)/settings.mk | $(P)/probes.h
	@awk -f shim/must-hold.awk $(call src,drivers/md/raid5.c) >$@.tmp
	@mv $@.tmp $@
INSTRUMENT	:= -finstrument-functions $(if $(findstring clang,$(CC)),,\
		   -finstrument-functions-exclude-file-list=include/$(COMMA)shim/)

$(call obj,$(UNIT_SRC)): $(UNIT_SRC) $(call src,drivers/md/raid5.c) \
		$(GEN_READY) $(P)/probes.h $(P)/must-hold.h $(D)/settings.mk | $(O)
	@echo "  KCC     $(S) $< (includes raid5.c)"
	@$(CC) $(KFLAGS) $(modflags) $(if $(PRIV),-I$(PRIV)) -I$(TREE) -I$(P) \
		-I$(dir $(call src,drivers/md/raid5.c)) -DDEBUG $(SUBJECT_DEFS) \
		$(INSTRUMENT) -c $< -o $@

# What this tree has and what not, found by compiling.
$(P)/probes.h: shim/probes.sh shim/probes.list $(GEN_READY) \
		$(D)/settings.mk \
		$(call src,drivers/md/raid5.c) $(call src,drivers/md/raid5.h)
	@echo "  PROBE   $(S)"
	@CC='$(CC)' sh shim/probes.sh shim/probes.list $@ $(KFLAGS) \
		$(modflags) $(if $(PRIV),-I$(PRIV)) -I$(TREE) \
		-I$(dir $(call src,drivers/md/raid5.c))

# --- one relocatable, its missing symbols named -------------------------
$(D)/kernel-all.o: $(KOBJ)
	@$(CC) $(M_FLAG) $(LINK_R) $(shell nm $(call obj,shim/kernel/lock-wrap.c) | \
		sed -n 's/.* T __wrap_/-Wl,--wrap=/p') -o $@ $(KOBJ)

$(D)/stubs.c: $(D)/kernel-all.o shim/not-modelled.list shim/host-symbols.list \
		shim/missing.sh
	@sh shim/missing.sh $(S) $< shim/not-modelled.list \
		shim/host-symbols.list >$@.tmp
	@mv $@.tmp $@

$(D)/stubs.o: $(D)/stubs.c
	@$(CC) $(M_FLAG) $(OPT) -g -fno-builtin -w -fno-omit-frame-pointer \
		-fno-optimize-sibling-calls -no-pie -fno-pic -Ishim \
		-c $< -o $@

# Kernel names must not capture libc's (vsnprintf, strlen, ...): only the
# boundary stays global.
$(D)/kernel.o: $(D)/kernel-all.o $(D)/stubs.o
	@$(CC) $(M_FLAG) $(LINK_R) -o $@.tmp $^
	@objcopy --wildcard --keep-global-symbol='kern_*' \
		-W '__start_*' -W '__stop_*' \
		$@.tmp $@
	@rm -f $@.tmp

# --- the program --------------------------------------------------------
include mk/host.mk

# What was compiled, for `info`: the generators' sources stand for what they
# generate, and headers that a series changed are named too.
PATCHED		:= $(if $(PRIV),$(shell cat $(PRIV)/.files))
SRC_SEEN	:= drivers/md/raid5.c $(MODULE_SRC) $(MD_SRC) $(BUILTIN_SRC) \
		   lib/raid6/int.uc lib/raid6/unroll.awk lib/raid6/mktables.c
SRC_SEEN	+= $(foreach f,$(filter %.h,$(PATCHED)),$(if $(call src,$(f)),$(f)))
src_row		= "$(1) $(call src,$(1)) $(if $(filter $(1),$(PATCHED)),1,0)"

$(D)/kern-tables.c: $(foreach f,$(SRC_SEEN),$(call src,$(f))) scripts/sha.sh \
		shim/subject.mk $(D)/settings.mk
	@printf '%s\n' $(foreach f,$(SRC_SEEN),$(call src_row,$(f))) | \
		sh scripts/sha.sh >$@.tmp
	@printf '%s\n' '' 'const char *const kern_source_dirs[] = {' \
		$(foreach d,$(PRIV) $(TREE),'	"$(d)",') '};' \
		'const unsigned int kern_source_dirs_count =' \
		'	$(words $(PRIV) $(TREE));' \
		>>$@.tmp
	@mv $@.tmp $@

$(D)/kern-tables.o: $(D)/kern-tables.c shim/boundary.h
	@$(CC) $(HOST_CFLAGS) -c $< -o $@

# The front end is a program of its own; so is the benchmark.
PROGRAM_SRC	:= $(filter-out sim/front.c sim/bench%,$(wildcard sim/*.c))
BENCH_SRC	:= sim/bench.c sim/bench-io.c \
		   $(filter-out sim/main.c sim/usage.c %-cmd.c \
		   sim/lock-sequences.c sim/lock-suite.c,$(PROGRAM_SRC))
KERNEL_PART	:= $(D)/kernel.o $(D)/kern-tables.o

$(D)/raid5sim: $(KERNEL_PART) $(call host_obj,$(PROGRAM_SRC) $(SHIM_HOST_SRC))
	@echo "  LINK    $@"
	@$(CC) $(HOST_LDFLAGS) $^ $(HOST_LIBS) -o $@.tmp && mv $@.tmp $@

$(D)/bench: $(KERNEL_PART) $(call host_obj,$(BENCH_SRC) $(SHIM_HOST_SRC))
	@echo "  LINK    $@"
	@$(CC) $(HOST_LDFLAGS) $^ $(HOST_LIBS) -o $@.tmp && mv $@.tmp $@

-include $(wildcard $(O)/*.d $(B)/obj/*.d)
