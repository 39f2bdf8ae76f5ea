//! The options of a script: sysbench's own, which every script has in `sysbench.opt`, and those it declares.

use std::collections::BTreeMap;
use tenbin_driver::Error;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::nearest::nearest;
use tenbin_words::problem::Problem;
use tenbin_words::units;
use tenbin_workload::options::OptionMap;

/// Which errors restart the event: sysbench's `--mysql-ignore-errors` and similar options.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ignore {
    All,
    Numbers(Vec<u32>),
}

impl Ignore {
    /// Whether this error does.
    pub(super) fn covers(&self, error: &Error) -> bool {
        match (self, error.number(), error.sqlstate()) {
            // PostgreSQL's deadlock, serialisation failure and duplicate key, as sysbench has them, whatever the list of MySQL's says.
            (_, None, Some(state)) => matches!(state, "40P01" | "40001" | "23505"),
            (Ignore::All, ..) => true,
            (Ignore::Numbers(numbers), Some(number), _) => numbers.contains(&number),
            (Ignore::Numbers(_), None, None) => false,
        }
    }
}

/// The type of an option's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "sysbench's names for them")]
pub enum Type {
    Bool,
    Int,
    Size,
    Double,
    String,
    List,
    File,
}

/// One option that a script declares in `sysbench.cmdline.options`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptOption {
    /// Its name, with `_`.
    pub name: String,
    /// The type of its value.
    pub kind: Type,
    /// The default, as it would be typed; `None` if it has no value by default.
    pub default: Option<String>,
    /// What it does, in the script's words.
    pub help: String,
}

/// A value as passed to Lua.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TypedValue {
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<String>),
    Nil,
}

impl TypedValue {
    /// As it would be typed; `None`: it has no value.
    pub(super) fn text(&self) -> Option<String> {
        Some(match self {
            TypedValue::Bool(on) => if *on { "on" } else { "off" }.to_owned(),
            TypedValue::Number(number) => number.to_string(),
            TypedValue::Text(text) => text.clone(),
            TypedValue::List(all) => all.join(","),
            TypedValue::Nil => return None,
        })
    }
}

impl Type {
    /// By sysbench's number for it (`sysbench.cmdline.ARG_…`).
    pub(super) fn of(number: i64) -> Type {
        match number {
            1 => Type::Bool,
            2 => Type::Int,
            3 => Type::Size,
            4 => Type::Double,
            6 => Type::List,
            7 => Type::File,
            _ => Type::String,
        }
    }

    /// The value, or a description of valid values.
    pub(super) fn read(self, text: &str) -> Result<TypedValue, Message> {
        Ok(match self {
            // No others, as in sysbench.
            Type::Bool => TypedValue::Bool(match text {
                "on" | "true" | "1" | "" => true,
                "off" | "false" | "0" => false,
                _ => return Err(msg!("on-or-off")),
            }),
            Type::Int => TypedValue::Number(whole(text).ok_or_else(|| msg!("a-whole-number"))?),
            Type::Double => TypedValue::Number(match text.trim().parse::<f64>() {
                Ok(number) if number.is_finite() => number,
                _ => whole(text).ok_or_else(|| msg!("any-number"))?,
            }),
            Type::Size => TypedValue::Number(size(text).ok_or_else(|| msg!("size-with-letter"))?),
            Type::List => {
                TypedValue::List(text.split(',').filter(|part| !part.is_empty()).map(str::to_owned).collect())
            }
            Type::File if text.is_empty() => TypedValue::Nil,
            Type::String | Type::File => TypedValue::Text(text.to_owned()),
        })
    }
}

/// What a [`Type::Int`] is, in the English hint for another value.
pub const WHOLE: &str = "a whole number";

fn whole(text: &str) -> Option<f64> {
    text.trim().replace('_', "").parse::<i64>().ok().map(|n| n as f64)
}

fn size(text: &str) -> Option<f64> {
    units::binary_size(text).map(|bytes| bytes as f64)
}

/// sysbench's own options, of 1.0.20 and of 1.1, with the defaults of 1.0.20.
const GENERAL: &[(&str, Type, &str)] = &[
    ("threads", Type::Int, "1"),
    ("events", Type::Int, "0"),
    ("time", Type::Int, "10"),
    ("warmup_time", Type::Int, "0"),
    ("forced_shutdown", Type::String, "off"),
    ("thread_stack_size", Type::Size, "64K"),
    ("thread_init_timeout", Type::Int, "30"),
    ("rate", Type::Int, "0"),
    ("report_interval", Type::Int, "0"),
    ("report_checkpoints", Type::List, ""),
    ("debug", Type::Bool, "off"),
    ("validate", Type::Bool, "off"),
    ("help", Type::Bool, "off"),
    ("version", Type::Bool, "off"),
    ("config_file", Type::File, ""),
    ("luajit_cmd", Type::String, ""),
    ("script_memory", Type::Size, "0"),
    ("tx_rate", Type::Int, "0"),
    ("max_requests", Type::Int, "0"),
    ("max_time", Type::Int, "0"),
    ("num_threads", Type::Int, "1"),
    ("rand_type", Type::String, "special"),
    ("rand_seed", Type::Int, "0"),
    ("rand_spec_iter", Type::Int, "12"),
    ("rand_spec_pct", Type::Int, "1"),
    ("rand_spec_res", Type::Int, "75"),
    ("rand_pareto_h", Type::Double, "0.2"),
    ("rand_zipfian_exp", Type::Double, "0.8"),
    ("verbosity", Type::Int, "3"),
    ("percentile", Type::Int, "95"),
    ("histogram", Type::Bool, "off"),
    ("db_driver", Type::String, ""),
    ("db_ps_mode", Type::String, "auto"),
    ("db_debug", Type::Bool, "off"),
    ("mysql_host", Type::List, "localhost"),
    ("mysql_port", Type::List, "3306"),
    ("mysql_socket", Type::List, ""),
    ("mysql_user", Type::String, "sbtest"),
    ("mysql_password", Type::String, ""),
    ("mysql_db", Type::String, "sbtest"),
    ("mysql_ssl", Type::String, "off"),
    ("mysql_ssl_key", Type::File, ""),
    ("mysql_ssl_ca", Type::File, ""),
    ("mysql_ssl_cert", Type::File, ""),
    ("mysql_ssl_cipher", Type::String, ""),
    ("mysql_compression", Type::Bool, "off"),
    ("mysql_compression_algorithms", Type::String, ""),
    ("mysql_debug", Type::Bool, "off"),
    ("mysql_ignore_errors", Type::List, "1213,1020,1205"),
    ("mysql_dry_run", Type::Bool, "off"),
    ("pgsql_host", Type::String, "localhost"),
    ("pgsql_port", Type::Int, "5432"),
    ("pgsql_user", Type::String, "sbtest"),
    ("pgsql_password", Type::String, ""),
    ("pgsql_db", Type::String, "sbtest"),
    ("pgsql_sslmode", Type::String, "prefer"),
];

/// Whether sysbench itself has an option of this name.
pub(super) fn is_general(name: &str) -> bool {
    GENERAL.iter().any(|(n, ..)| *n == name)
}

/// The value of one of sysbench's own options: as given, or its default.
pub(super) fn general<'a>(given: &'a OptionMap, name: &str) -> &'a str {
    let default = GENERAL.iter().find(|(n, ..)| *n == name).map_or("", |(_, _, d)| d);
    given.get(name).map_or(default, String::as_str)
}

/// The number at the start of a text, as strtod(3) reads it; 0 if there is none.
pub fn leading_number(text: &str) -> f64 {
    let text = text.trim_start();
    let (sign, plain) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    if let Some(digits) = plain.strip_prefix("0x").or_else(|| plain.strip_prefix("0X")) {
        let end = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
        return u64::from_str_radix(&digits[..end], 16).map_or(0.0, |number| sign * number as f64);
    }
    let is_of_number = |c: &char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '-' | '+');
    let longest = plain.chars().take_while(is_of_number).count();
    let number = (1..=longest).rev().find_map(|end| plain[..end].parse::<f64>().ok());
    sign * number.unwrap_or(0.0)
}

/// A whole number as sysbench reads it: nothing is 0, and none has more than 32 bits.
fn whole_of_sysbench(text: &str) -> Option<f64> {
    let digits = text.trim_start();
    if digits.is_empty() { Some(0.0) } else { digits.parse::<i32>().ok().map(f64::from) }
}

/// All options with their values: sysbench's, then the script's, which take precedence. `declared` is `None`
/// for a script for sysbench 0.5, which accepts any option as text.
pub(super) fn resolve(
    script: &str,
    declared: Option<&[ScriptOption]>,
    given: &OptionMap,
    as_sysbench: bool,
    version: &str,
) -> Result<BTreeMap<String, TypedValue>, Problem> {
    let mut all = BTreeMap::new();
    let wrong = |name: &str, value: &str, wanted: Message, help: &str| {
        let problem =
            Problem::new(msg!("script-option-cannot-be", script, option = name, value = format_args!("{value:?}")));
        let problem = if help.is_empty() { problem } else { problem.evidence(foreign(format!("{name}: {help}"))) };
        problem.hint(msg!("give-wanted", wanted))
    };
    // A script's own option of such a name has its own type.
    let is_own = |name: &str| declared.is_some_and(|all| all.iter().any(|option| option.name == name));
    for (name, kind, default) in GENERAL.iter().filter(|(name, ..)| !is_own(name)) {
        let value = given.get(*name).map_or(*default, String::as_str);
        all.insert((*name).to_owned(), kind.read(value).map_err(|wanted| wrong(name, value, wanted, ""))?);
    }
    all.insert("mysql_ssl".to_owned(), tls(general(given, "mysql_ssl"), version));
    for option in declared.unwrap_or(&[]) {
        let value = given.get(&option.name).or(option.default.as_ref());
        let typed = match value {
            // Whatever it is, sysbench takes it for a number.
            Some(value) if as_sysbench && option.kind == Type::Double => {
                option.kind.read(value).unwrap_or_else(|_| TypedValue::Number(leading_number(value)))
            }
            Some(value) if as_sysbench && option.kind == Type::Int => {
                let number = whole_of_sysbench(value);
                TypedValue::Number(
                    number.ok_or_else(|| wrong(&option.name, value, msg!("a-whole-number"), &option.help))?,
                )
            }
            Some(value) if as_sysbench && option.kind == Type::Size && value.is_empty() => TypedValue::Number(0.0),
            Some(value) => option.kind.read(value).map_err(|w| wrong(&option.name, value, w, &option.help))?,
            // As in sysbench, where a switch without a default is on, like one typed without a value.
            None => option.kind.read("").unwrap_or(TypedValue::Number(0.0)),
        };
        all.insert(option.name.clone(), typed);
    }
    for (name, value) in given.iter().filter(|(name, _)| !all.contains_key(*name)).collect::<Vec<_>>() {
        match declared {
            None => _ = all.insert(name.clone(), TypedValue::Text(value.clone())),
            Some(declared) => return Err(unknown(script, name, declared)),
        }
    }
    Ok(all)
}

/// What a script sees of `mysql_ssl`: a switch in 1.0, a mode in 1.1.
fn tls(mode: &str, version: &str) -> TypedValue {
    let is_off = matches!(mode, "off" | "false" | "0" | "disabled");
    match (version.starts_with("1.1"), is_off) {
        (false, _) => TypedValue::Bool(!is_off),
        (true, true) => TypedValue::Text("disabled".to_owned()),
        (true, false) => TypedValue::Text(mode.to_owned()),
    }
}

fn unknown(script: &str, name: &str, declared: &[ScriptOption]) -> Problem {
    let problem = Problem::new(msg!("script-option-unknown", script, option = format_args!("{name:?}")));
    let names = declared.iter().map(|o| o.name.as_str());
    match nearest(name, names.clone().chain(GENERAL.iter().map(|g| g.0))) {
        Some(right) => problem.hint(msg!("write-or-remove-it", right)),
        None if declared.is_empty() => problem.hint(msg!("remove-script-option")),
        None => problem.hint(msg!("use-one-of", names = names.collect::<Vec<_>>().join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(pairs: &[(&str, &str)]) -> OptionMap {
        pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    fn declared() -> Vec<ScriptOption> {
        let option = |name: &str, kind, default: Option<&str>| ScriptOption {
            name: name.into(),
            kind,
            default: default.map(str::to_owned),
            help: "what it does".into(),
        };
        vec![
            option("table_size", Type::Double, Some("10000")),
            option("skip_trx", Type::Bool, Some("off")),
            option("extra", Type::String, None),
            option("flag", Type::Bool, None),
            option("time", Type::String, Some("soon")),
        ]
    }

    #[test]
    fn values_come_from_the_command_the_script_or_sysbench() {
        let all =
            resolve("x.lua", Some(&declared()), &given(&[("table_size", "5"), ("threads", "8")]), false, "1.0.20")
                .unwrap();
        let expected = [
            ("table_size", TypedValue::Number(5.0)),
            ("skip_trx", TypedValue::Bool(false)),
            ("flag", TypedValue::Bool(true)),
            ("extra", TypedValue::Text(String::new())),
            ("threads", TypedValue::Number(8.0)),
            ("time", TypedValue::Text("soon".into())),
            ("percentile", TypedValue::Number(95.0)),
            ("mysql_host", TypedValue::List(vec!["localhost".into()])),
            ("thread_stack_size", TypedValue::Number(65536.0)),
            ("mysql_ssl_ca", TypedValue::Nil),
        ];
        for (name, value) in expected {
            assert_eq!(all[name], value, "{name}");
        }
    }

    #[test]
    fn wrong_names_and_values_come_with_a_hint() {
        let error = |pairs: &[(&str, &str)]| {
            resolve("x.lua", Some(&declared()), &given(pairs), false, "1.0.20").unwrap_err().to_string()
        };
        insta::assert_snapshot!(error(&[("table_size", "many")]), @r#"
        the script x.lua: table_size cannot be "many"
          evidence  table_size: what it does
          hint      give a number
        "#);
        insta::assert_snapshot!(error(&[("tablesize", "5")]), @r#"
        the script x.lua has no option "tablesize"
          hint      write table_size, or remove it
        "#);
        insta::assert_snapshot!(error(&[("skip_trx", "maybe")]), @r#"
        the script x.lua: skip_trx cannot be "maybe"
          evidence  skip_trx: what it does
          hint      give on or off
        "#);
    }

    #[test]
    fn sysbench_takes_anything_for_a_number() {
        for (text, number) in [
            ("", 0.0),
            ("0x10", 16.0),
            ("foo", 0.0),
            ("1.5K", 1.5),
            ("-3e2x", -300.0),
            (" 7", 7.0),
            ("5e", 5.0),
            ("1e400", f64::INFINITY),
        ] {
            let all = resolve("x.lua", Some(&declared()), &given(&[("table_size", text)]), true, "1.0.20").unwrap();
            assert_eq!(all["table_size"], TypedValue::Number(number), "{text}");
        }
    }

    #[test]
    fn whole_numbers_and_lists_are_read_as_by_sysbench() {
        let option = |name: &str, kind| ScriptOption { name: name.into(), kind, default: None, help: String::new() };
        let declared = [option("count", Type::Int), option("names", Type::List), option("size", Type::Size)];
        let all = |pairs: &[(&str, &str)]| resolve("x.lua", Some(&declared), &given(pairs), true, "1.0.20");
        for (text, number) in [("", 0.0), (" 7", 7.0), ("-3", -3.0), ("2147483647", 2_147_483_647.0)] {
            assert_eq!(all(&[("count", text)]).unwrap()["count"], TypedValue::Number(number), "{text}");
        }
        for text in ["x", "1x", "3.5", "0x10", "2147483648", "1_000"] {
            assert!(all(&[("count", text)]).is_err(), "{text}");
        }
        let list = |parts: &[&str]| TypedValue::List(parts.iter().map(|&part| part.to_owned()).collect());
        assert_eq!(all(&[("names", ",a,,b")]).unwrap()["names"], list(&["a", "b"]));
        assert_eq!(all(&[("names", "")]).unwrap()["names"], list(&[]));
        assert_eq!(all(&[("size", "")]).unwrap()["size"], TypedValue::Number(0.0));
    }

    /// As sysbench 1.0.20 and 1.1.
    #[test]
    fn mysql_ssl_is_a_switch_in_1_0_and_a_mode_in_1_1() {
        let value = |pairs: &[(&str, &str)], version| {
            resolve("x.lua", Some(&[]), &given(pairs), true, version).unwrap()["mysql_ssl"].clone()
        };
        let text = |text: &str| TypedValue::Text(text.to_owned());
        assert_eq!(value(&[], "1.0.20"), TypedValue::Bool(false));
        assert_eq!(value(&[("mysql_ssl", "off")], "1.0.20"), TypedValue::Bool(false));
        assert_eq!(value(&[("mysql_ssl", "on")], "1.0.20"), TypedValue::Bool(true));
        assert_eq!(value(&[], "1.1.0"), text("disabled"));
        assert_eq!(value(&[("mysql_ssl", "verify-ca")], "1.1.0"), text("verify-ca"));
    }

    #[test]
    fn all_is_meant_for_mysql() {
        use tenbin_driver::Class;
        let error = |number: Option<u32>, state: Option<&[u8; 5]>| {
            let error = Error::new(Class::Sql, foreign("no"));
            let error = number.map_or(error.clone(), |number| error.code(number));
            state.map_or(error.clone(), |state| error.state(*state))
        };
        assert!(Ignore::All.covers(&error(Some(1146), Some(b"42S02"))) && Ignore::All.covers(&error(None, None)));
        assert!(!Ignore::All.covers(&error(None, Some(b"42P01"))) && Ignore::All.covers(&error(None, Some(b"40001"))));
        assert!(Ignore::Numbers(vec![]).covers(&error(None, Some(b"23505"))));
        assert!(!Ignore::Numbers(vec![1213]).covers(&error(Some(1146), None)));
    }

    #[test]
    fn an_old_script_takes_any_option() {
        let all = resolve("x.lua", None, &given(&[("oltp_tables_count", "3")]), true, "1.0.20").unwrap();
        assert_eq!(all["oltp_tables_count"], TypedValue::Text("3".into()));
    }
}
