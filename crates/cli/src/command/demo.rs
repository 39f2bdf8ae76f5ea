//! `tenbin demo`: runs a built-in plan on this machine.

use crate::args::{Demo, DemoOn};
use crate::execute::execute;
use tenbin_terminal::exit::Exit;
use tenbin_terminal::language::language;
use tenbin_terminal::runnable::{TypedKeys, parsed};
use tenbin_words::problem::Problem;

const SQLITE: &str = include_str!("../../../../plans/demo-sqlite.toml");
const MARIADB: &str = include_str!("../../../../plans/demo-mariadb.toml");
const POSTGRES: &str = include_str!("../../../../plans/demo-postgres.toml");

pub fn demo(a: &Demo) -> Result<Exit, Problem> {
    let text = match a.on {
        DemoOn::Sqlite => SQLITE,
        DemoOn::Mariadb => MARIADB,
        DemoOn::Postgres => POSTGRES,
    };
    let Some(planned) = parsed(text, &TypedKeys::new()) else { return Ok(Exit::Usage) };
    execute(&planned.request, &a.output, language(a.output.lang.as_deref())?, None, None)
}
