#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lusoria_laws::passkeys::check(bytes));
