# SPDX-License-Identifier: GPL-2.0-only
# The targets a person types; `make help` lists them. How a subject is built
# is in shim/subject.mk, how the host side is in mk/.
#
#	make subject ... --> scripts/subject.sh --> shim/subject.mk
#	make check       --> scripts/check.sh   --> scripts/parts.sh
MAKEFLAGS	+= -rR --no-print-directory
# A variable given here is for the subject that is named, not for all that
# is built on the way.
MAKEOVERRIDES	:=
SHELL		:= /bin/sh

NAME		?=
KSRC		?=
# Tables of observations on real kernels, and the series that some of their
# rows are about; both are only used when they are there.
FACTS		?= $(wildcard ../shared/data/real-kernel.tsv)
POSTED		?= $(wildcard ../shared/data/posted-series)

SETTINGS	:= SERIES CONFIG BITS PAGE SAN LOCKDEP CC OPT MD
given		= $(if $(filter command,$(firstword $(origin $(1)))),'$(1)=$($(1))')
GIVEN		= $(foreach v,$(SETTINGS),$(call given,$(v)))
# KSRC may also come from the environment.
KSRC_GIVEN	= $(if $(KSRC),'KSRC=$(KSRC)')
# A tree of one's own needs no source package.
KSRC_PATH	= $(filter-out 6.12 6.1,$(KSRC))
RUN		= MAKE='$(MAKE)' KSRC='$(KSRC)' sh

# --- targets for people ---------------------------------------------------
all: stock

demo: deps stock
	@sh scripts/demo.sh

check: deps build/raid5sim
	+@FACTS='$(FACTS)' POSTED='$(POSTED)' $(RUN) scripts/check.sh

subject: build/raid5sim
	$(if $(NAME),,$(error make subject NAME=...: a name is needed, e.g. stock, stock-6.1-minimal; see make help))
	+@$(RUN) scripts/subject.sh '$(NAME)' \
		$(GIVEN) $(KSRC_GIVEN)

stock: build/raid5sim
	+@$(RUN) scripts/subject.sh stock $(KSRC_GIVEN)

bench: stock
	+@$(RUN) scripts/subject.sh stock-lockdep $(KSRC_GIVEN)
	+@for s in stock stock-lockdep; do $(MAKE) -s -f shim/subject.mk S=$$s \
		build/subject/$$s/bench || exit; done
	@sh scripts/bench.sh

units:
	+@$(MAKE) -s -f mk/unit.mk CC='$(or $(CC),gcc)' units

check-valgrind: units
	+@$(MAKE) -s -f mk/unit.mk CC='$(or $(CC),gcc)' valgrind

deps:
	@KSRC='$(KSRC_PATH)' sh scripts/deps.sh
deps-list:
	@sh scripts/deps.sh --list

format:
	clang-format -i sim/*.[ch] shim/host/*.[ch] unit/*.[ch]

clean:
	rm -rf build/subject build/base build/host build/unit build/check build/raid5sim
distclean:
	rm -rf build

# --- parts of them ----------------------------------------------------------
build/raid5sim: FORCE
	+@$(MAKE) -s -f mk/unit.mk CC=gcc OPT=-O2 SAN=0 BITS=64 $@
FORCE:

help:
	@sh scripts/help.sh

.PHONY: all demo check subject stock bench units check-valgrind deps \
	deps-list format clean distclean help FORCE
