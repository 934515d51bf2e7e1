# For OpenBench and for those who want one binary tuned to this machine: make EXE=name
EXE ?= outrider

ifeq ($(OS),Windows_NT)
	SUFFIX := .exe
endif

.PHONY: all
all:
	cargo rustc --release --no-default-features --bin outrider -- \
		-C target-cpu=native --emit link=$(EXE)$(SUFFIX)
