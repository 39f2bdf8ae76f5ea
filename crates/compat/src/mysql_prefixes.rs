//! The prefixes that the option parser of MySQL's programs knows: `--skip-compress`, `--enable-silent`, `--loose-foo`.

const PREFIXES: [&str; 5] = ["skip-", "disable-", "enable-", "maximum-", "loose-"];

/// A name without some of its prefixes.
pub struct Prefixed<'n> {
    /// The last one of them.
    prefix: &'static str,
    pub rest: &'n str,
    /// Whether one of them says that there need not be such an option.
    pub is_loose: bool,
}

/// A name without its first prefix, without the first two, and so on.
pub fn of(name: &str) -> impl Iterator<Item = Prefixed<'_>> {
    let (mut rest, mut is_loose) = (name, false);
    std::iter::from_fn(move || {
        let prefix = PREFIXES.into_iter().find(|prefix| rest.starts_with(prefix))?;
        (rest, is_loose) = (&rest[prefix.len()..], is_loose || prefix == "loose-");
        Some(Prefixed { prefix, rest, is_loose })
    })
}

impl Prefixed<'_> {
    /// The value of the option: the last prefix decides on it. Of a password that is switched off nothing is asked for, and none is sent.
    pub fn value(&self, given: Option<&str>, is_password: bool) -> Option<String> {
        let on = match self.prefix {
            // A second negation is none.
            "skip-" | "disable-" => given == Some("0"),
            "enable-" => given != Some("0"),
            _ => return given.map(str::to_owned),
        };
        Some(
            if on {
                "1"
            } else if is_password {
                ""
            } else {
                "0"
            }
            .to_owned(),
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::grammar::{ArgumentError, ArgumentErrorKind};
    use crate::mysqlslap::options::GRAMMAR;
    use crate::parsed_args::{ParsedArgs, Remark, Source};

    fn args(line: &str) -> Result<ParsedArgs, ArgumentError> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut args = ParsedArgs::new(&GRAMMAR);
        args.read(&words, Source::CommandLine).map(|()| args)
    }

    #[test]
    fn prefixes_are_those_of_mysqls_programs() {
        let t =
            args("--skip-compress=0 --disable-commit --enable-silent --maximum-iterations=4 --enable-disable-no-drop")
                .unwrap();
        assert!(t.on("compress") && t.on("silent") && t.has("no-drop") && !t.on("no-drop"));
        assert_eq!((t.given("commit"), t.number("iterations")), (Some("0"), 4));
        let t = args("--skip-password --disable-delimiter --skip_loose_si --loose-skip-compress=1 --maximum-silent")
            .unwrap();
        assert_eq!((t.given("password"), t.given("delimiter"), t.on("compress")), (Some(""), Some("0"), false));
        let t = args("--loose-foo --skip-loose-foo --loose-skip-foo=1 --loose-iterations=3").unwrap();
        assert_eq!(t.number("iterations"), 3);
        assert_eq!(
            t.remarks,
            [
                "unknown option '--loose-foo'",
                "unknown option '--skip-loose-foo'",
                "unknown variable 'loose-skip-foo=1'"
            ]
            .map(|text| Remark::Warning(text.to_owned()))
        );
        let wrong = |line: &str| args(line).unwrap_err();
        for line in ["--skip-verbose", "--enable-version", "--disable-help=0"] {
            assert_eq!(wrong(line).kind, ArgumentErrorKind::TakesNoValue, "{line}");
        }
        assert_eq!(wrong("--maximum-iterations").kind, ArgumentErrorKind::NoValue);
        assert_eq!(wrong("--maximum-foo=1").kind, ArgumentErrorKind::UnknownVariable);
        assert_eq!(
            (wrong("--skip-foo").kind, wrong("--loose").kind),
            (ArgumentErrorKind::Unknown, ArgumentErrorKind::Unknown)
        );
        assert_eq!(wrong("--loose-auto").kind, ArgumentErrorKind::Ambiguous);
        assert_eq!(wrong("--loose-iterations").kind, ArgumentErrorKind::NoValue);
    }
}
