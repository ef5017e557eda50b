#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# `make help`.
cat <<'END'
make [-j2]          build the subject "stock" and the front end build/raid5sim
make demo           install what is missing, build, show it on one screen
make check          the same set-up if needed, then every test
make subject NAME=… build a subject, beside those that are there
make bench          time creating and stopping arrays, and requests to one
make units          build the unit tests only
make check-valgrind the unit tests under valgrind
make deps           install the packages that are missing (root)
make deps-list      list the packages
make format         clang-format all C files
make clean          remove what was built; unpacked kernel sources stay
make distclean      remove build/
make help           this text

Variables of `make subject`:
  NAME=NAME         e.g. stock, stock-6.1, stock-minimal, stock-clang-O1,
                    stock-san, sized, sized-san, or a name of your own. Words
                    after a "-" are settings: 6.12 6.1 debian minimal 32 16k
                    64k san lockdep gcc clang O1 O2 lite. "sized": this
                    project's series is applied
  SERIES=DIR|FILE|- patches to apply to a private copy: a directory of *.patch
                    files, an mbox, one patch, or standard input
  KSRC=PATH         kernel tree to use, never written to; or 6.12 or 6.1:
                    Debian's linux-source package. Default: 6.12, else 6.1.
                    Also for `make`, `make demo` and `make check`
  CONFIG=debian     or minimal: no BLK_CGROUP, no BLK_DEV_INTEGRITY
  BITS=64           or 32 (not available yet)
  PAGE=4K           or 16K, 64K (not available yet)
  SAN=0             or 1: AddressSanitizer and UBSan
  LOCKDEP=0         or 1 ("lockdep"): lock debugging, and the kernel's lockdep
                    as a judge
  CC=gcc            or clang
  OPT=-O2           or -O1, -O3, -Os
  MD=real           or model ("lite"): a modelled md core, for quick runs that
                    need no superblocks, recovery or reshape

Of `make check`:
  FACTS=FILE.tsv    more observations on real kernels to compare with
  POSTED=DIR        the series that those of the subject "posted" are about

WERROR=             do not treat compiler warnings as errors

Then:  build/raid5sim --help
       build/raid5sim --subject NAME size --cpus 32 --nodes 2 --mem 64G
       build/raid5sim run cases
END
