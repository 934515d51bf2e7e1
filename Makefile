# Programs for this machine, and for OpenBench:
#
#   make EXE=name                  the engine, for this processor
#   make profiled EXE=name         the same, faster: built twice, the second time with a profile of
#                                  its bench; needs `rustup component add llvm-tools`
#
# either of them with
#
#   EVALFILE=file                  this network built in
#   TUNE=1                         every parameter of the search as an option
#   TOOLS=1                        the commands that make and analyse files, and the laboratory
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
PROCESSOR := $(if $(CPU),-C target-cpu=$(CPU))
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
profile: export LLVM_PROFILE_FILE = $(PROFILE).profraw
profile:
	$(BUILD)
	target/$(TARGET)/release/outrider$(SUFFIX) bench
	$(MERGE) merge -o $(PROFILE).profdata $(PROFILE).profraw
