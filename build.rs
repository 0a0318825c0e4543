//! Packs the descriptions of the API that the server carries.
//!
//! They are made by tests (src/http/openapi.rs) and kept as text, so that a change to the API is seen in a review; the
//! program needs them in the form in which it sends them.

use std::{env, fs, io::Write, path::Path};

use flate2::{Compression, write::GzEncoder};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var("OUT_DIR").expect("cargo names the folder");
    for name in ["openapi.json", "socket.schema.json"] {
        let source = Path::new("docs").join(name);
        println!("cargo::rerun-if-changed={}", source.display());
        let text = fs::read(&source).unwrap_or_else(|error| panic!("{}: {error}", source.display()));
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&text).expect("memory takes what is written");
        let packed = packed.finish().expect("memory takes what is written");
        fs::write(Path::new(&folder).join(format!("{name}.gz")), packed).expect("room in the target folder");
    }
}
