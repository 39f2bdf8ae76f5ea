//! `tenbin audit FILE …`: tables and logs that others published, read, doubted and drawn.

use super::report::{is_no_input, print_or_write};
use crate::args::{Audit, AuditFormat};
use crate::published;
use tenbin_terminal::exit::Exit;
use tenbin_terminal::language::{language, language_of_environment};
use tenbin_words::problem::Problem;

pub fn audit(a: &Audit) -> Result<Exit, Problem> {
    let language = language(a.lang.as_deref())?.unwrap_or_else(language_of_environment);
    let format = if a.json { AuditFormat::Json } else { a.format };
    is_no_input(a.out.as_deref(), &a.files)?;
    let (published, audited) = published::read(&a.files)?;
    print_or_write(a.out.as_deref(), &published::text(format, &published, &audited, language))?;
    Ok(published::exit_of(&audited))
}
