//! What the frequent additions cost: the numbers of files in ARCHITECTURE.md are those of what is there. Of each kind, the one that is named in the fewest
//! files is counted: a further file that each of its kind needs raises this number, and one that is not needed any more lowers it.

#![expect(clippy::unwrap_used, reason = "a test may")]

use super::{files, root, without_tests};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

#[test]
fn additions_cost_what_the_table_says() {
    let texts = texts();
    let counted = [
        ("an observer", fewest(&texts, observers(&texts))),
        ("a doubt", fewest(&texts, doubts(&texts))),
        ("a section of the page", fewest(&texts, sections(&texts))),
        ("a key of the plan", fewest(&texts, keys(&texts))),
        ("an option of another tool's name", fewest(&texts, options(&texts))),
        ("a receiver of the event stream", fewest(&texts, receivers(&texts))),
    ];
    let counted: BTreeMap<String, usize> = counted.into_iter().map(|(kind, n)| (kind.to_owned(), n)).collect();
    assert_eq!(table(), counted);
}

/// Files by their paths: product code without comments and tests, messages, markup, and the documents that describe what is added.
type Texts = BTreeMap<String, String>;

/// One thing that was added: the files that name it are those for which this holds.
type Named = Box<dyn Fn(&str, &str) -> bool>;

fn fewest(texts: &Texts, all: Vec<Named>) -> usize {
    assert!(all.len() > 2, "only {} are found", all.len());
    all.iter().map(|names| texts.iter().filter(|(path, text)| names(path, text)).count()).min().unwrap()
}

fn observers(texts: &Texts) -> Vec<Named> {
    let all = between(&texts["crates/observers/src/lib.rs"], "pub const ALL: &[ObserverEntry] = &[", "];");
    let entries = all.matches("::ENTRY").count();
    assert_eq!(entries, tenbin_observers::ALL.len());
    let modules: Vec<&str> = all.split("::ENTRY").filter_map(|before| before.split_whitespace().next_back()).collect();
    let named = modules.into_iter().zip(tenbin_observers::ALL).map(|(module, entry)| {
        let (quoted, in_table) = (format!("\"{}\"", entry.name), format!("`{}`", entry.name));
        let listed = format!("{module}::ENTRY,");
        let file = [format!("crates/observers/src/{module}.rs"), format!("crates/observers/src/{module}/mod.rs")];
        let is_named = move |path: &str, text: &str| {
            file.iter().any(|file| file == path)
                || [&quoted, &in_table, &listed].into_iter().any(|name| text.contains(name.as_str()))
        };
        Box::new(is_named) as Named
    });
    named.collect()
}

/// By the messages of each: a doubt whose problem somebody else states has none.
fn doubts(texts: &Texts) -> Vec<Named> {
    let mut all = Vec::new();
    for (_, text) in texts.iter().filter(|(path, _)| path.starts_with("crates/verdict/src/audit/")) {
        let Some((_, list)) = text.split_once("DOUBTS: &[(About, DoubtCheck)] = &[") else { continue };
        for entry in list.split("];").next().unwrap().split("(About::").skip(1) {
            let name = between(entry, ", ", ")");
            let body = between(text, &format!("fn {name}("), "\n}\n");
            let ids: Vec<String> =
                body.split('"').skip(1).step_by(2).filter(|id| id.starts_with("doubt-")).map(str::to_owned).collect();
            if !ids.is_empty() {
                all.push(messages(ids));
            }
        }
    }
    all
}

fn sections(texts: &Texts) -> Vec<Named> {
    let list = &texts["crates/report/src/page/mod.rs"];
    let modules = list.split("::SECTION").filter_map(|before| before.rsplit('(').next());
    let modules: Vec<&str> = modules.filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_')).collect();
    let named = modules.into_iter().filter_map(|module| {
        let text = texts.get(&format!("crates/report/src/page/{module}.rs"))?;
        let heading = messages(vec![between(text, "heading: || msg!(\"", "\"").to_owned()]);
        let markup = text.split_once("include_str!(\"../../").map(|(_, rest)| rest.split('"').next().unwrap());
        let markup = markup.map(|file| format!("crates/report/{file}"));
        let listed = format!("({module}::SECTION");
        let is_named = move |path: &str, text: &str| {
            heading(path, text) || text.contains(&listed) || markup.as_ref().is_some_and(|markup| markup == path)
        };
        Some(Box::new(is_named) as Named)
    });
    named.collect()
}

/// Keys of a load that are a field of its trials.
fn keys(texts: &Texts) -> Vec<Named> {
    let list = &texts["crates/model/src/plan/keys/load.rs"];
    let entries = list.split("    Key {\n").skip(1).map(|entry| entry.split("\n    },").next().unwrap());
    let named = entries.filter_map(|entry| {
        let name = between(entry, "name: \"", "\"");
        let field = entry.split_once("s.spec.load.")?.1.trim_start_matches("policy.");
        let field = field.split(|c: char| !c.is_alphanumeric() && c != '_').next()?.to_owned();
        let in_documents = [format!("`{name}`"), format!("`{field}`")];
        let is_named = move |path: &str, text: &str| match path.starts_with("doc/") {
            true => {
                ["plan.md", "run-directory.md"].iter().any(|file| path.ends_with(file))
                    && in_documents.iter().any(|name| text.contains(name.as_str()))
            }
            false => path.starts_with("crates/model/src/") && has_word(text, &field),
        };
        Some(Box::new(is_named) as Named)
    });
    named.collect()
}

fn options(texts: &Texts) -> Vec<Named> {
    let tables =
        texts.iter().filter(|(path, _)| path.starts_with("crates/compat/src/") && path.ends_with("options.rs"));
    let names = tables.flat_map(|(_, text)| text.split('"').skip(1).step_by(2));
    let names = names.filter(|name| name.len() > 2 && name.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
    let named = names.map(|name| {
        let (quoted, in_table) = (format!("\"{name}\""), format!("--{name}"));
        let is_named = move |path: &str, text: &str| {
            path.starts_with("crates/compat/src/") && text.contains(&quoted)
                || path.starts_with("doc/compat/") && text.contains(&in_table)
        };
        Box::new(is_named) as Named
    });
    // A word of a value is in no document with dashes.
    named
        .filter(|names| texts.iter().any(|(path, text)| path.starts_with("doc/compat/") && names(path, text)))
        .collect()
}

/// Those of the program's own: what it has a file for.
fn receivers(texts: &Texts) -> Vec<Named> {
    let fields = between(&texts["crates/cli/src/execute.rs"], "struct Sinks {", "\n}");
    let types = fields.lines().filter_map(|line| line.trim().trim_end_matches(',').split_once(": "));
    let named = types.map(|(_, of)| {
        let name = of.trim_start_matches("Option<").trim_end_matches('>').rsplit("::").next().unwrap().to_owned();
        Box::new(move |path: &str, text: &str| path.ends_with(".rs") && has_word(text, &name)) as Named
    });
    named.collect()
}

/// Where these messages stand: in the tables of both languages, and where they are used.
fn messages(ids: Vec<String>) -> Named {
    Box::new(move |path, text| {
        let has = |id: &String| match path.ends_with(".ftl") {
            true => text.lines().any(|line| line.strip_prefix(id.as_str()).is_some_and(|rest| rest.starts_with(" ="))),
            false => text.contains(&format!("\"{id}\"")),
        };
        ids.iter().any(has)
    })
}

fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part))
}

fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let after = text.split_once(from).unwrap_or_else(|| panic!("{from} is not found")).1;
    after.split(to).next().unwrap()
}

fn texts() -> Texts {
    let read = |folder: &str, ends: &str| {
        let name = |path: &Path| path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        let all = files(&root().join(folder), ends).into_iter();
        all.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect::<Vec<_>>()
    };
    let code =
        read("crates", "rs").into_iter().filter(|(path, _)| path.contains("/src/") && !path.ends_with("tests.rs"));
    let code = code.map(|(path, text)| {
        let lines = without_tests(&text).lines().map(|line| line.split("//").next().unwrap_or_default());
        (path, lines.collect::<Vec<_>>().join("\n") + "\n")
    });
    let others = [("crates/words/locales", "ftl"), ("crates/report/templates", "html"), ("doc", "md")];
    let others = others.into_iter().flat_map(|(folder, ends)| read(folder, ends));
    code.chain(others).filter(|(path, _)| !path.starts_with("doc/decision/")).collect()
}

/// What ARCHITECTURE.md says.
fn table() -> BTreeMap<String, usize> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rows = between(&text, "| addition | files | which |", "\n\n").lines().skip(2);
    let cells = rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>());
    cells.map(|cells| (cells[0].to_owned(), cells[1].parse().unwrap())).collect()
}
