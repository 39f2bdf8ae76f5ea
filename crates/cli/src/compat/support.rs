//! What becomes of an old tool's option here, and the reference in `doc/compat/` printed from it: every face's table of
//! options is made of these.

/// What becomes of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SupportLevel {
    /// It does what its meaning says.
    Means,
    /// It is accepted and changes nothing, for this reason.
    Inert(&'static str),
    /// It is refused, for this reason. Where it has a value that says the same as leaving it away, that one is taken.
    Refused(&'static str),
}

impl SupportLevel {
    /// What `--help` says behind the meaning.
    pub fn note(self) -> String {
        match self {
            SupportLevel::Means => String::new(),
            SupportLevel::Inert(because) => format!(" (no effect: {because})"),
            SupportLevel::Refused(because) => format!(" (refused: {because})"),
        }
    }
}

#[cfg(test)]
impl SupportLevel {
    /// The option's meaning and fate, as the reference has them.
    pub fn words(self, meaning: &str) -> String {
        match self {
            SupportLevel::Means => format!("*means* {meaning}"),
            SupportLevel::Inert(because) => format!("{meaning} — *accepted without effect* because {because}"),
            SupportLevel::Refused(because) => format!("{meaning} — *refused* because {because}"),
        }
    }
}

/// Holds the table in `doc/compat/<file>` equal to `table`, which `test` has printed; with `TENBIN_UPDATE_DOCS` writes it.
#[cfg(test)]
pub fn reference_is(file: &str, test: &str, table: &str) {
    let begin = format!("<!-- the table: printed by the test `{test}` -->\n");
    let end = "<!-- the table ends -->\n";
    let path = format!("{}/../../doc/compat/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let (head, rest) = text.split_once(&begin).expect("the table has its place");
    let (_, tail) = rest.split_once(end).expect("the table has its end");
    let wanted = format!("{head}{begin}\n{table}\n{end}{tail}");
    if std::env::var_os("TENBIN_UPDATE_DOCS").is_some() {
        std::fs::write(path, wanted).unwrap();
    } else {
        let how = format!("TENBIN_UPDATE_DOCS=1 cargo test -p tenbin-cli {test}");
        assert!(text == wanted, "{path} is behind the table of options: {how}");
    }
}
