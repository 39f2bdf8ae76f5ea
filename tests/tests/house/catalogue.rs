//! The catalogue of messages agrees with the sources and the page's templates: every message that is used is there in
//! both languages with the arguments that it is given, every one that is there is used, and no sentence for users
//! stands outside the catalogue.

use super::{files, root, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use tenbin_words::catalogue::{self, Element};
use tenbin_words::language::Language;
use tenbin_words::remedy::REMEDIES;

#[test]
fn every_message_has_both_languages_with_the_same_arguments() {
    let mut wrong = Vec::new();
    for (id, entry) in catalogue::all() {
        let [english, japanese] = [Language::English, Language::Japanese].map(|l| entry.arguments(l));
        if entry.pattern(Language::English).is_empty() || entry.pattern(Language::Japanese).is_empty() {
            wrong.push(format!("{id} has one language"));
        } else if english != japanese {
            wrong.push(format!("{id} takes {english:?} in English, {japanese:?} in Japanese"));
        }
    }
    // The last of two would be read, and the other one shown nowhere. A message that is no message, or has what the
    // reader of the files does not know, would be passed over.
    let mut once = BTreeSet::new();
    for file in files(&root().join("crates/words/locales"), "ftl") {
        let language = if file.iter().any(|part| part == "ja") { Language::Japanese } else { Language::English };
        for message in messages(&fs::read_to_string(&file).unwrap()) {
            let (id, text) = message.split_once(" = ").unwrap_or((&message, ""));
            let (text, attributes) = text.split_once("\n    .").unwrap_or((text, ""));
            wrong.extend(wrong_attributes(id, attributes));
            if !once.insert((id.to_owned(), language == Language::Japanese)) {
                wrong.push(format!("{}: {id} is there twice", file.display()));
            }
            let read = catalogue::entry(id).map_or(0, |entry| places(entry.pattern(language)));
            let (named, quoted) = (text.matches("{ $").count(), text.matches("{ \"").count());
            if text.is_empty() || read != named || text.matches('{').count() != named + quoted {
                wrong.push(format!("{}: {message}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with the attributes of a hint: `remedy`, which code decides by, and `elsewhere`, its words for users of other
/// tools, with what a front end can fill in: an option, a mode, and the arguments of the hint.
fn wrong_attributes(id: &str, attributes: &str) -> Vec<String> {
    let wrong = |attribute: &str| {
        let (name, value) = attribute.split_once(" = ").unwrap_or((attribute, ""));
        let is_right = match name {
            "remedy" => REMEDIES.iter().any(|(known, _)| *known == value),
            "elsewhere" => {
                let mut known =
                    catalogue::entry(id).map(|entry| entry.arguments(Language::English)).unwrap_or_default();
                known.extend(["option", "mode"]);
                let filled = known.iter().map(|name| value.matches(&format!("{{ ${name} }}")).count());
                value.matches("{ $").count() == filled.sum::<usize>()
            }
            _ => false,
        };
        (!is_right).then(|| format!("{id} has {name} = {value}"))
    };
    attributes.split("\n    .").filter(|attribute| !attribute.is_empty()).filter_map(wrong).collect()
}

/// A hint with a command, a key of a plan or an option of an address says so, because users of other tools have none of them.
#[test]
fn a_hint_for_tenbin_alone_says_so() {
    const OURS: [&str; 8] =
        ["tenbin ", "the plan", "to the address", "load.", "restore = ", "on_lost", "tls=", "--runs"];
    let mut wrong = Vec::new();
    for file in sources() {
        let text = fs::read_to_string(&file).unwrap();
        for (at, _) in text.match_indices(".hint(msg!(") {
            let id = text[at..].split('"').nth(1).unwrap_or_default();
            let Some(entry) = catalogue::entry(id) else { continue };
            let words = catalogue::fill(entry.pattern(Language::English), |_| String::new());
            if OURS.iter().any(|word| words.contains(word)) && entry.remedy().is_none() && entry.elsewhere().is_empty()
            {
                wrong.push(format!("{id} needs `.remedy`: {words}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The messages of a file, each with the lines that belong to it.
fn messages(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match all.last_mut() {
            Some(message) if line.starts_with(' ') => *message += &format!("\n{line}"),
            _ => all.push(line.to_owned()),
        }
    }
    all
}

/// How many places of arguments, and choices by one, a pattern has.
fn places(pattern: &[Element]) -> usize {
    let one = |element: &Element| match element {
        Element::Text(_) => 0,
        Element::Argument(_) => 1,
        Element::Choice { variants, otherwise, .. } => {
            1 + places(otherwise) + variants.iter().map(|(_, pattern)| places(pattern)).sum::<usize>()
        }
    };
    pattern.iter().map(one).sum()
}

/// What is counted in sentences, and how messages may have one of them in the plural all the same: the number is a limit that is
/// never one, or the count is of at least two.
const COUNTED: [&str; 16] = [
    "columns",
    "errors",
    "files",
    "lines",
    "notes",
    "results",
    "runs",
    "sessions",
    "tables",
    "targets",
    "threads",
    "transactions",
    "trials",
    "warehouses",
    "warnings",
    "workers",
];
const NEVER_ONE: [&str; 14] = [
    "bundle-too-many-files",
    "bytes-in-files",
    "compare-names-do-not-fit",
    "doubt-clients-starved-seen",
    "doubt-published-copies",
    "doubt-warming-seen",
    "mappings-wanted",
    "not-enough-mappings",
    "published-too-many-columns",
    "published-too-many-tables",
    "seconds-spread",
    "too-many-trials",
    "too-many-trials-to-read",
    "warehouses-in-sets",
];

#[test]
fn one_of_what_is_counted_is_no_plural() {
    let mut wrong = Vec::new();
    for (id, entry) in catalogue::all() {
        let words = catalogue::fill(&of_one(entry.pattern(Language::English)), |_| "1".to_owned());
        let words: Vec<&str> = words.split([' ', ',', ';', ':', '.', '(', ')']).collect();
        let is_plural = words.windows(2).enumerate().any(|(at, pair)| {
            let is_part = at > 0 && words[at - 1] == "of";
            pair[0] == "1" && COUNTED.contains(&pair[1]) && !is_part
        });
        if is_plural != NEVER_ONE.contains(&id) {
            wrong.push(format!("{id}: {}", words.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a pattern says where each of its numbers is one.
fn of_one(pattern: &[Element]) -> Vec<Element> {
    let one = |element: &Element| match element {
        Element::Choice { variants, otherwise, .. } => {
            of_one(variants.iter().find(|(value, _)| value == "1").map_or(otherwise, |(_, pattern)| pattern))
        }
        other => vec![other.clone()],
    };
    pattern.iter().flat_map(one).collect()
}

#[test]
fn every_use_is_in_the_catalogue_and_every_message_is_used() {
    let (mut wrong, mut used) = (Vec::new(), BTreeSet::new());
    let templates = files(&root().join("crates/report/templates"), "html").into_iter().map(|file| (file, " t("));
    for (file, call) in sources().into_iter().map(|file| (file, "msg!(")).chain(templates) {
        let text = fs::read_to_string(&file).unwrap();
        used.extend(literals(&text));
        for (id, given) in uses(&text, call) {
            let takes = catalogue::entry(&id).map(|entry| entry.arguments(Language::English));
            if takes.as_ref().is_none_or(|takes| !takes.iter().copied().eq(given.iter().map(String::as_str))) {
                wrong.push(format!("{}: {id} with {given:?}, the catalogue has {takes:?}", file.display()));
            }
        }
    }
    // Facts stand in recordings as words.
    let unused = catalogue::all().into_keys().filter(|id| {
        // Descriptions are found by their English text (`described.rs`).
        !used.contains(*id) && !id.starts_with("fact-") && !id.starts_with("described-")
    });
    wrong.extend(unused.map(|id| format!("{id} is not used")));
    assert!(used.len() > 900, "the sources were not found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Text that is no message of the catalogue is made by `foreign(…)` alone, or is an argument: both are for what is not
/// ours, such as a server's words, a name, a command. These are the names and commands that stand in the sources as
/// they are shown.
const NAMES_AND_COMMANDS: &[&str] = &[
    "--foreign-keys {}",
    "AUTO_INCREMENT",
    "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY",
    "CREATE EXTENSION pg_stat_statements",
    "Mbit/s",
    "NOPM",
    "Poisson",
    "SET GLOBAL init_connect = ''",
    "SET GLOBAL max_prepared_stmt_count = …",
    "TPS",
    "[datasets]",
    "[experiment.matrix]",
    "[targets]",
    "cloud",
    "curl -sS {address}",
    "datadir = {data}",
    "fsync/s",
    "getent hosts {}",
    "https://www.sqlite.org/pragma.html#pragma_{name}",
    "performance_schema = OFF",
    "performance_schema_digests_size = {size}",
    "pg_extension: pg_stat_statements",
    "pg_stat_statements.max = {size}",
    "pid",
    "replicas",
    "server",
    "setup_consumers: statements_digest",
    "shared_preload_libraries: pg_stat_statements",
    "tenbin --version",
    "tenbin bench {bench}",
    "tenbin list {}",
    "tenbin names --dir ~/.local/bin",
    "tenbin plan check PLAN",
    "tenbin plan check {plan}",
    "tenbin plan check {}",
    "tenbin report RUN --format {}",
    "tenbin report {run} --out another/file.html",
    "tenbin run {plan}",
    "tenbin run {}",
    "tenbin {first} {}",
    "{name} DSN",
];

#[test]
fn no_sentence_stands_outside_the_catalogue() {
    let (mut findings, mut known) = (Vec::new(), BTreeSet::new());
    for file in sources() {
        let text = fs::read_to_string(&file).unwrap();
        let code = crate::without_tests(&text);
        for literal in literals_passed_as_foreign(code) {
            if NAMES_AND_COMMANDS.contains(&literal) {
                known.insert(literal.to_owned());
            } else {
                findings.push(format!("{}: {literal:?}", file.display()));
            }
        }
    }
    assert!(findings.is_empty(), "put these into crates/words/locales:\n{}", findings.join("\n"));
    assert!(known.iter().eq(NAMES_AND_COMMANDS), "no longer in the sources, of the list only these are: {known:?}");
}

/// What an observer's readings are called stands beside them: it is recorded with them in both languages.
const LABELS: &str = "crates/observers/src/";

#[test]
fn japanese_stands_in_the_catalogue() {
    let mut findings = Vec::new();
    for file in sources() {
        let name = file.strip_prefix(root()).unwrap().display().to_string();
        let text = fs::read_to_string(&file).unwrap();
        let code = crate::without_tests(&text);
        let lines = code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
        let japanese = lines.filter(|(_, line)| line.contains(is_japanese) && !name.starts_with(LABELS));
        findings.extend(japanese.map(|(n, line)| format!("{name}:{}: {}", n + 1, line.trim())));
    }
    assert!(findings.is_empty(), "put these into crates/words/locales:\n{}", findings.join("\n"));
    assert!("試".contains(is_japanese) && "ア".contains(is_japanese) && !"–×…".contains(is_japanese));
}

fn is_japanese(c: char) -> bool {
    ('\u{3040}'..='\u{30ff}').contains(&c) || ('\u{4e00}'..='\u{9fff}').contains(&c)
}

#[test]
fn a_sentence_outside_the_catalogue_is_found() {
    let code = r#"
        Problem::new(foreign("the disk is full")).evidence(foreign(error)).hint(foreign(&format!("{a}: free {b}")));
        msg!("loaded", rows = 5, why = format_args!("it was {asked}"), unit = "rows", dsn = foreign(dsn));
        fn foreign(text: &str) -> Message {
            bilingual::foreign("–") + &foreign(format!("{status}\n{}", text))
    "#;
    assert_eq!(literals_passed_as_foreign(code), ["the disk is full", "{a}: free {b}", "it was {asked}"]);
}

/// Literals with words that are made foreign text, and literals of two words or more that are an argument of a message.
fn literals_passed_as_foreign(code: &str) -> Vec<&str> {
    let calls = |name: &'static str| {
        code.match_indices(name).map(move |(at, _)| arguments(&code[at + name.len() - 1..])).collect::<Vec<_>>()
    };
    let foreign = calls("foreign(").into_iter().filter_map(|all| literal(all.first()?));
    let values = calls("msg!(").into_iter().flatten().filter_map(|argument| literal(argument.split_once('=')?.1));
    let foreign = foreign.filter(|literal| words_of(literal).any(|word| word.len() > 2));
    let values = values.filter(|literal| {
        let words: Vec<&str> = literal.split(' ').collect();
        words.windows(2).any(|two| two.iter().all(|word| word.len() > 1 && word.chars().all(char::is_alphabetic)))
    });
    foreign.chain(values).collect()
}

/// The text in quotes that an expression begins with, also within `format!`.
fn literal(expression: &str) -> Option<&str> {
    let plain = expression.trim().trim_start_matches('&');
    let inner = ["format!(", "format_args!("].iter().find_map(|name| plain.strip_prefix(name));
    let text = inner.unwrap_or(plain).trim_start().strip_prefix('"')?;
    let end = text.char_indices().find(|(at, c)| *c == '"' && !text[..*at].ends_with('\\'))?.0;
    Some(&text[..end])
}

/// Words of a format string outside of its places.
fn words_of(literal: &str) -> impl Iterator<Item = &str> {
    let outside = literal
        .split('{')
        .enumerate()
        .map(|(n, part)| if n == 0 { part } else { part.split_once('}').map_or("", |(_, rest)| rest) });
    outside.flat_map(|part| part.split(|c: char| !c.is_alphabetic())).filter(|word| !word.is_empty())
}

#[test]
fn japanese_is_japanese() {
    // Commands, names and values are the same in every language.
    let same: BTreeMap<&str, String> = catalogue::all()
        .into_iter()
        .filter(|(_, entry)| entry.pattern(Language::English) == entry.pattern(Language::Japanese))
        .map(|(id, entry)| (id, words(entry.pattern(Language::English))))
        .collect();
    insta::assert_snapshot!(
        same.into_iter().map(|(id, words)| format!("{id}: {words}")).collect::<Vec<_>>().join("\n")
    );
}

fn words(pattern: &[Element]) -> String {
    let text = |element: &Element| match element {
        Element::Text(text) => text.clone(),
        Element::Argument(name) => format!("{{{name}}}"),
        Element::Choice { argument, otherwise, .. } => format!("{{{argument}: {}}}", words(otherwise)),
    };
    pattern.iter().map(text).collect()
}

/// The messages that a source makes, or a template asks for, each with the names of its arguments in order of the
/// alphabet.
fn uses(text: &str, call: &str) -> Vec<(String, BTreeSet<String>)> {
    let calls = text.match_indices(call).filter_map(|(at, call)| {
        let all = arguments(&text[at + call.len() - 1..]);
        let id = all.first()?.trim().strip_prefix('"')?.strip_suffix('"')?.to_owned();
        let name = |argument: &&str| {
            let name = argument.trim().split(|c: char| !c.is_alphanumeric() && c != '_').next();
            name.unwrap_or_default().to_owned()
        };
        Some((id, all[1..].iter().map(name).filter(|name| !name.is_empty()).collect()))
    });
    calls.collect()
}

/// Every text in quotes that could be an identifier.
fn literals(text: &str) -> BTreeSet<String> {
    let plain = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    text.split('"').filter(plain).map(str::to_owned).collect()
}

/// The arguments of a call, from its opening bracket on.
fn arguments(text: &str) -> Vec<&str> {
    let (mut all, mut depth, mut start, mut quoted, mut before) = (Vec::new(), 0, 1, false, ' ');
    for (at, c) in text.char_indices() {
        match c {
            '"' if quoted => quoted = before == '\\',
            '"' if before != '\'' => quoted = true,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth -= 1;
                if depth == 0 {
                    all.push(&text[start..at]);
                    break;
                }
            }
            ',' if depth == 1 => {
                all.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        before = if before == '\\' && c == '\\' { ' ' } else { c };
    }
    all
}
