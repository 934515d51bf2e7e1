//! The fuzzer `book`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| outrider_fuzz::book(data));
