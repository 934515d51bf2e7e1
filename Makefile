# For OpenBench and for those who want one binary tuned to this machine:
#
#   make EXE=name                  the engine, for this processor
#   make EXE=name EVALFILE=file    with this network built in
#   make EXE=name TUNE=1           with every parameter of the search as an option
EXE ?= outrider
TUNE ?=

ifeq ($(OS),Windows_NT)
	SUFFIX := .exe
endif

# build.rs reads it.
export EVALFILE

.PHONY: all
all:
	cargo rustc --release --locked --no-default-features $(if $(TUNE),--features tune) --bin outrider -- \
		-C target-cpu=native --emit link=$(EXE)$(SUFFIX)
