# Builds the program for this machine, and for OpenBench:
#
#   make EXE=name                  the engine, for this processor
#   make profiled EXE=name         the same, faster: built twice, the second time with a profile of
#                                  its bench (with TOOLS=1 also of games that datagen plays); needs
#                                  `rustup component add llvm-tools`
#
# Variables for both:
#
#   EVALFILE=file                  build in this network
#   TUNE=1                         make every parameter of the search an option
#   TOOLS=1                        add the commands for files, serve and the laboratory
#   CPU=                           build for every processor of the architecture
#   CPU=x86-64-v3                  build for this level or kind of processor
EXE ?= outrider
TUNE ?=
TOOLS ?=
CPU ?= native
TARGET ?= $(shell rustc --print host-tuple)

ifeq ($(OS),Windows_NT)
	SUFFIX := .exe
endif

# src/engine/build.rs reads it.
export EVALFILE

# src/main.rs reads it. Without it the program names the commit at which the sources last changed.
OUTRIDER_COMMIT ?= $(if $(wildcard .git),$(shell git --git-dir=.git describe --always --abbrev=12 --exclude=* --dirty=-changed))
export OUTRIDER_COMMIT

FEATURES := $(if $(TOOLS),,--no-default-features) $(if $(TUNE),--features tune)
BUILD := cargo rustc --release --locked --target $(TARGET) --package outrider $(FEATURES) --bin outrider
# The network's arithmetic has a function for each set of vector instructions and chooses one at run
# time, but only if the compiler may not use SSE4.1 everywhere. These functions are faster than the
# compiler's own vectors, so SSE4.1, and with it AVX2, stays off outside of them.
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
# Each run writes its own file, named by its process.
profile: export LLVM_PROFILE_FILE = $(PROFILE)-%p.profraw
profile:
	rm -f $(PROFILE)-*.profraw $(PROFILE)-games
	$(BUILD)
	target/$(TARGET)/release/outrider$(SUFFIX) bench
ifneq ($(TOOLS),)
	target/$(TARGET)/release/outrider$(SUFFIX) datagen --games 100 --seed 1 --output $(PROFILE)-games
endif
	$(MERGE) merge -o $(PROFILE).profdata $(PROFILE)-*.profraw
