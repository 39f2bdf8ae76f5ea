//! Options that switch a log on and may name its file at once: `log-slow-queries = /x/slow.log` of MySQL 5.1 and 5.5, which the option
//! files of distributions had for long.

use crate::meaning::plain;

/// Each with the variables of both (MySQL manual 5.5, 5.2.3 and 5.2.5).
const OPTIONS: [(&str, &str, &str); 2] =
    [("log", "general_log", "general_log_file"), ("log_slow_queries", "slow_query_log", "slow_query_log_file")];

/// The variable that switches the log, and whether it is on.
pub(crate) fn switched_by(name: &str, value: Option<&str>) -> Option<(&'static str, bool)> {
    // Any value is the name of the log's files and switches the log on, OFF as well (--log-bin, MySQL manual 19.1.6.4).
    if name == "log_bin" {
        return Some(("log_bin", true));
    }
    let (_, variable, _) = OPTIONS.iter().find(|(option, ..)| *option == name)?;
    Some((variable, value.is_none_or(|value| plain(value) != "0")))
}

/// The variable of the file's name with its value, if the option of this canonical name names it.
pub fn file_named_by(name: &str, value: Option<&str>) -> Option<(String, String)> {
    let (.., variable) = OPTIONS.iter().find(|(option, ..)| *option == name)?;
    let file = value.filter(|value| !["0", "1", ""].contains(&plain(value).as_str()))?;
    Some(((*variable).to_owned(), file.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::file_named_by;
    use crate::variables::{canonical_name, of_file};

    #[test]
    fn an_old_option_of_a_log_switches_it_on_and_names_its_file() {
        for (name, value, variable, on, file) in [
            ("log-slow-queries", Some("/x/slow.log"), "slow_query_log", "ON", Some("/x/slow.log")),
            ("log_slow_queries", None, "slow_query_log", "ON", None),
            ("log_slow_queries", Some("OFF"), "slow_query_log", "OFF", None),
            ("log", Some("/x/q.log"), "general_log", "ON", Some("/x/q.log")),
        ] {
            assert_eq!(of_file(name, value), (variable.to_owned(), on.to_owned()), "{name} {value:?}");
            assert_eq!(
                file_named_by(&canonical_name(name), value).map(|(_, value)| value).as_deref(),
                file,
                "{name} {value:?}"
            );
        }
        assert_eq!(file_named_by("slow_query_log", Some("/x")), None);
    }
}
