//! Every law over every seed that is kept for it.

use std::{
    fs,
    path::{Path, PathBuf},
};

fn seeds(law: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../seeds").join(law);
    let entries = fs::read_dir(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    entries.map(|entry| entry.expect("an entry of the folder").path()).collect()
}

fn hold(law: &str, check: fn(&[u8])) {
    let seeds = seeds(law);
    assert!(!seeds.is_empty(), "{law} has no seeds");
    for seed in seeds {
        // A failing test shows the last seed that was tried.
        println!("{}", seed.display());
        check(&fs::read(seed).expect("a seed can be read"));
    }
}

macro_rules! laws {
    ($($law:ident)*) => {
        $(#[test]
        fn $law() {
            hold(stringify!($law), lusoria_laws::$law::check);
        })*

        #[test]
        fn every_target_has_its_test() {
            let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz_targets");
            let mut found: Vec<_> = fs::read_dir(targets)
                .unwrap()
                .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
                .collect();
            found.sort();
            assert_eq!(found, [$(stringify!($law)),*]);
        }
    };
}

laws! { commands ends journals messages notation passkeys positions record_texts records requests tables tafl texts vectors }
