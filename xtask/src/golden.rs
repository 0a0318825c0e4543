//! Golden files, on which later releases are tested.

use std::path::PathBuf;

use crate::{
    Outcome, build,
    commands::{command, python, run},
};

/// Makes the golden database of the present schema, with the present program or a named one.
pub(crate) fn database(options: &[String]) -> Outcome {
    let program = match options {
        [] => {
            build::server()?;
            build::program("debug", "lusoria")
        }
        [option, program] if option == "--program" => PathBuf::from(program),
        _ => return Err("the only option is --program FILE".to_owned()),
    };
    run(command(python()?).arg("tests/it/golden/make_database.py").arg("--program").arg(program))
}
