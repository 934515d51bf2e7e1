# Programs for this machine, and for OpenBench:
#
#   make EXE=name                  the engine, for this processor
#   make profiled EXE=name         the same, faster: built twice, the second time with a profile of
#                                  its bench, and with TOOLS=1 of games that datagen plays; needs
#                                  `rustup component add llvm-tools`
#
# either of them with
#
#   EVALFILE=file                  this network built in
#   TUNE=1                         every parameter of the search as an option
#   TOOLS=1                        the commands that make and analyse files, serve, and the laboratory
#   CPU=                           code for every processor of the architecture
EXE ?= outrider
TUNE ?=
TOOLS ?=
CPU ?= native
TARGET ?= $(shell rustc --print host-tuple)

ifeq ($(OS),Windows_NT)
	SUFFIX := .exe
endif

# build.rs reads it.
export EVALFILE

# src/main.rs reads it. Cargo alone names the commit at which the sources last changed.
OUTRIDER_COMMIT ?= $(if $(wildcard .git),$(shell git --git-dir=.git describe --always --abbrev=12 --exclude=* --dirty=-changed))
export OUTRIDER_COMMIT

FEATURES := $(if $(TOOLS),,--no-default-features) $(if $(TUNE),--features tune)
BUILD := cargo rustc --release --locked --target $(TARGET) $(FEATURES) --bin outrider
# The network's arithmetic has functions for each set of vector instructions and chooses among them by
# the processor, but only where the compiler may not use such instructions everywhere. Those functions
# are faster than what it makes of the same sums, so they are kept.
VECTORS := $(if $(findstring x86_64,$(TARGET)),-C target-feature=-sse4.1)
PROCESSOR := $(if $(CPU),-C target-cpu=$(CPU) $(VECTORS))
PROFILE := $(CURDIR)/target/profile
MERGE := $(shell rustc --print sysroot)/lib/rustlib/$(TARGET)/bin/llvm-profdata

.PHONY: all profiled profile
all: export RUSTFLAGS = $(PROCESSOR)
all:
	$(BUILD) -- --emit link=$(EXE)$(SUFFIX)

profiled: export RUSTFLAGS = $(PROCESSOR) -C profile-use=$(PROFILE).profdata
profiled: profile
	$(BUILD) -- --emit link=$(EXE)$(SUFFIX)

profile: export RUSTFLAGS = $(PROCESSOR) -C profile-generate
# Each run writes a file of its own, named by its process.
profile: export LLVM_PROFILE_FILE = $(PROFILE)-%p.profraw
profile:
	rm -f $(PROFILE)-*.profraw $(PROFILE)-games
	$(BUILD)
	target/$(TARGET)/release/outrider$(SUFFIX) bench
ifneq ($(TOOLS),)
	target/$(TARGET)/release/outrider$(SUFFIX) datagen --games 100 --seed 1 --output $(PROFILE)-games
endif
	$(MERGE) merge -o $(PROFILE).profdata $(PROFILE)-*.profraw
