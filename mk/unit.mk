# SPDX-License-Identifier: GPL-2.0-only
# The unit tests and the front end. Called by the top Makefile with CC, OPT,
# SAN and BITS; no kernel source is needed.
#
#	unit/test-NAME.c + what the table says --> $(U)/NAME
MAKEFLAGS	+= -rR
SHELL		:= /bin/sh
ifneq ($(filter default undefined,$(origin CC)),)
CC		:= gcc
endif
OPT		:= $(or $(OPT),-O2)
SAN		:= $(or $(SAN),0)
BITS		:= $(or $(BITS),64)

all: units
include mk/host.mk
U		:= build/unit/$(notdir $(HV))

# --- what each test links besides itself ---------------------------------
MACHINE		:= machine machine-file machine-host ini-lines list size diag
CASE		:= case case-line case-step case-io case-disk case-order \
		   case-expect schedule run-files sizes params errname \
		   array-spec diag ini-lines list size machine machine-file
sim		= $(patsubst %,sim/%.c,$(1))

list		:= $(call sim,list)
size		:= $(call sim,size)
ini-lines	:= $(call sim,ini-lines diag)
machine		:= $(call sim,$(MACHINE))
json		:= $(call sim,json)
ddmin		:= $(call sim,ddmin)
geometry	:= $(call sim,geometry)
model		:= $(call sim,model pattern)
schedule	:= $(call sim,schedule size)
options		:= $(call sim,options params array-spec $(MACHINE))
case		:= $(call sim,$(CASE))
STEPS		:= $(CASE) steps steps-io steps-disk load request rest-check \
		   geometry model pattern session
FAKE		:= unit/kern-fake.c unit/array-fake.c
case-text	:= $(call sim,$(CASE) case-text)
steps		:= $(FAKE) $(call sim,$(STEPS))
steps-io	:= $(steps)
explore		:= unit/pool-fake.c $(steps) $(call sim,explore)
shrink		:= unit/pool-fake.c $(steps) $(call sim,shrink ddmin case-text)
oracle		:= $(call sim,oracle)
lock-sequences	:= $(sort $(steps) $(call sim,lock-sequences report json options \
		   $(MACHINE)))
lock-suite	:= $(sort $(steps) $(call sim,lock-suite report json options \
		   $(MACHINE)))
facts		:= $(call sim,facts-cmd facts-table session sizes errname \
		   params array-spec options report json oracle $(MACHINE))
place		:= unit/place-tree/drivers/md/fixture.c shim/host/place.c
# The whole host side, with made-up places.
HOST_FAKE	:= unit/host-fake.c $(filter-out %/place.c,$(SHIM_HOST_SRC))
arena		:= $(HOST_FAKE)
coro		:= $(HOST_FAKE)
finding		:= $(HOST_FAKE)

TESTS		:= $(patsubst unit/test-%.c,%,$(sort $(wildcard unit/test-*.c)))
NO_ROW		:= $(strip $(foreach t,$(TESTS),$(if $($(t)),,$(t))))
$(if $(NO_ROW),$(error mk/unit.mk: no row in the table for: $(NO_ROW)))

# --- programs -----------------------------------------------------------
units: $(addprefix $(U)/,$(TESTS))
list-units:
	@printf '%s\n' $(TESTS)

define unit_rule
$(U)/$(1): $(call host_obj,unit/test-$(1).c $($(1)))
	@mkdir -p $$(@D)
	@echo "  LINK    $$@"
	@$$(CC) $$(HOST_LDFLAGS) $$^ -lcmocka $$(HOST_LIBS) -o $$@
endef
$(foreach t,$(TESTS),$(eval $(call unit_rule,$(t))))

build/raid5sim: $(call host_obj,sim/front.c sim/usage.c)
	@echo "  LINK    $@"
	@$(CC) $(HOST_LDFLAGS) $^ -o $@



# Those that run in one process from start to end.
VALGRIND	:= $(filter-out arena coro finding place,$(TESTS))
valgrind: $(addprefix valgrind-,$(VALGRIND))
valgrind-%: $(U)/%
	@echo "  MEMORY  $*"
	@CMOCKA_MESSAGE_OUTPUT=TAP valgrind -q --error-exitcode=99 \
		--leak-check=full --errors-for-leak-kinds=definite $< \
		>$(U)/$*.valgrind 2>&1 || { cat $(U)/$*.valgrind; exit 1; }

.PHONY: all units list-units valgrind
