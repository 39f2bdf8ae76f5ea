//! The language of everything that is printed: as typed, as the plan says, or as the environment says.

use tenbin_words::language::Language;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// `en` or `ja`, from the command line or a plan.
pub fn language(name: Option<&str>) -> Result<Option<Language>, Problem> {
    match name {
        None => Ok(None),
        Some("en") => Ok(Some(Language::English)),
        Some("ja") => Ok(Some(Language::Japanese)),
        Some(other) => Err(Problem::new(msg!("no-report-in-language", language = format_args!("{other:?}")))
            .hint(msg!("use-lang-en-or-ja"))),
    }
}

/// The language of the environment; English unless it is Japanese.
pub fn language_of_environment() -> Language {
    language_by(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
}

/// The language by the variables of the environment, in their order of precedence (GNU gettext manual, 2.3): the first that is set of LC_ALL,
/// LC_MESSAGES and LANG, and before it LANGUAGE, a list, unless that one says C or POSIX.
fn language_by(set: impl Fn(&str) -> Option<String>) -> Language {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(&set).unwrap_or_default();
    let word = |text: &str| text.split(['_', '.', '@', '-']).next().unwrap_or_default().to_ascii_lowercase();
    if ["", "c", "posix"].contains(&word(&locale).as_str()) || !is_utf8(&locale) {
        return Language::English;
    }
    let list = set("LANGUAGE").unwrap_or_default();
    let known = |text: &str| match word(text).as_str() {
        "ja" | "japanese" => Some(Language::Japanese),
        "en" | "english" | "c" => Some(Language::English),
        _ => None,
    };
    list.split(':').find_map(known).or_else(|| known(&locale)).unwrap_or(Language::English)
}

/// Whether a locale, such as `ja_JP.UTF-8@modifier`, has texts in UTF-8, which all output is. One that names no character set may be used on
/// a terminal of today.
fn is_utf8(locale: &str) -> bool {
    let without_modifier = locale.split('@').next().unwrap_or_default();
    let charset = without_modifier.split_once('.').map(|(_, charset)| charset.to_ascii_lowercase().replace('-', ""));
    charset.is_none_or(|charset| charset == "utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_has_its_usual_order_of_precedence() {
        let japanese = |pairs: &[(&str, &str)]| {
            let variable =
                |name: &str| pairs.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned());
            language_by(variable) == Language::Japanese
        };
        let (ja, en) = ("ja_JP.UTF-8", "en_US.UTF-8");
        for yes in [
            &[("LANG", ja)][..],
            &[("LANG", "ja")],
            &[("LANG", en), ("LC_MESSAGES", ja)],
            &[("LANG", en), ("LC_MESSAGES", en), ("LC_ALL", ja)],
            &[("LANG", en), ("LANGUAGE", "ja:en")],
            &[("LANG", "de_DE.UTF-8"), ("LANGUAGE", "de:ja:en")],
            &[("LC_ALL", en), ("LANGUAGE", "ja_JP")],
            &[("LANG", "ja_JP.utf8")],
            &[("LANG", "ja_JP@x")],
        ] {
            assert!(japanese(yes), "{yes:?}");
        }
        for no in [
            &[][..],
            &[("LANG", "C.UTF-8"), ("LANGUAGE", "ja")],
            &[("LC_ALL", "POSIX"), ("LANG", ja)],
            &[("LC_ALL", "C"), ("LANG", ja), ("LANGUAGE", "ja")],
            &[("LANGUAGE", "ja")],
            &[("LANG", ja), ("LANGUAGE", "en:ja")],
            &[("LANG", "jam_JM.UTF-8")],
            // What is printed is UTF-8.
            &[("LANG", "ja_JP.eucJP")],
            &[("LC_ALL", "ja_JP.SJIS"), ("LANG", ja)],
            &[("LANG", "en_US.ISO-8859-1"), ("LANGUAGE", "ja")],
        ] {
            assert!(!japanese(no), "{no:?}");
        }
    }
}
