# SPDX-License-Identifier: GPL-2.0-only
# The host side (sim/, shim/host/, unit/): how one of its files is compiled.
# Included by what links them; knows nothing of kernel trees.
#
#	CC OPT SAN BITS --> $(HV), a folder of objects for each variant,
#			    shared by all subjects of that variant
EMPTY		:=
HV		:= build/host/$(subst $(EMPTY) $(EMPTY),,$(subst /,_,$(CC)$(OPT)-$(BITS)))$(if $(filter 1,$(SAN)),-san)
# An undefined operation must fail the test that did it, not just say so.
HOST_SAN_ON	:= -fsanitize=address,undefined -fno-sanitize-recover=undefined
HOST_SAN	:= $(if $(filter 1,$(SAN)),$(HOST_SAN_ON))
HOST_M		:= $(if $(filter 32,$(BITS)),-m32)
WERROR		?= -Werror
# Frame pointers: a finding's place is looked for through these frames too.
HOST_CFLAGS	:= -std=gnu11 -D_GNU_SOURCE= $(HOST_M) $(OPT) -g $(HOST_SAN) \
		   -fno-pie -fno-omit-frame-pointer \
		   -fno-optimize-sibling-calls -Wall -Wextra $(WERROR) \
		   -Ishim -Isim -Ishim/host
HOST_LDFLAGS	:= $(HOST_M) $(HOST_SAN) -no-pie
HOST_LIBS	:= -linih -ldw -lelf -lpthread

host_obj	= $(addprefix $(HV)/,$(1:.c=.o))
SHIM_HOST_SRC	:= $(wildcard shim/host/*.c)

# Through a temporary name: two subjects may be built at the same time.
$(HV)/%.o: %.c mk/host.mk
	@mkdir -p $(@D)
	@echo "  CC      $(notdir $(HV)) $<"
	@$(CC) $(HOST_CFLAGS) -MMD -MP -MF $(@:.o=.d) -MT $@ -c $< -o $@.$$$$ \
		&& mv $@.$$$$ $@ || { rm -f $@.$$$$; exit 1; }

-include $(wildcard $(HV)/*/*.d $(HV)/shim/host/*.d $(HV)/unit/*/*/*/*.d)
