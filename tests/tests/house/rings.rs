//! No ring of imports in any crate: what two files need of each other stands in a file below both.
//!
//! A module and its parts are one room: imports within it do not count here, and what one of its files imports from another room
//! is an import of the whole room. So a ring of rooms is seen, too, in which no two files import each other. Imports of tests do
//! not count.

#![expect(clippy::unwrap_used, reason = "a test may")]

use super::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A module by the names on the way to it.
type Module = Vec<String>;

#[test]
fn imports_run_in_no_ring() {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let (mut rings, mut rooms_read) = (Vec::new(), 0);
    for folder in crates.chain([root().join("bench"), root().join("tests")]) {
        let modules = modules(&folder.join("src"));
        let imports = of_rooms(&modules);
        rooms_read += imports.values().map(BTreeSet::len).sum::<usize>();
        rings.extend(ring(&imports).map(|ring| {
            let way: Vec<String> = ring.iter().map(|room| room.join("::")).collect();
            format!("{}: {}", folder.file_name().unwrap().display(), way.join(" -> "))
        }));
    }
    assert_eq!(rings, Vec::<String>::new());
    assert!(rooms_read > 500, "only {rooms_read} imports are seen");
}

#[test]
fn a_ring_is_seen() {
    let texts = [
        ("a", "use crate::b::X;"),
        ("b", "use super::c::{Y, Z};"),
        ("c", "fn f() { crate::a::g() }"),
        ("d", "use crate::a;"),
    ];
    assert_eq!(ring(&of_rooms(&named_modules(&texts))).unwrap().len(), 3);
}

#[test]
fn a_ring_of_rooms_is_seen_in_which_no_two_files_import_each_other() {
    let texts = [
        ("plan", "use keys::Key;"),
        ("plan::keys", "use super::target::draft::Draft;"),
        ("plan::target", "use super::keys::Key;"),
        ("plan::target::draft", "use crate::trial::Trial;"),
        ("trial", ""),
    ];
    let modules = named_modules(&texts);
    let rooms = of_rooms(&modules);
    let rings = ring(&rooms).unwrap();
    assert_eq!(rings.iter().map(|room| room.join("::")).collect::<Vec<_>>(), ["plan::keys", "plan::target"]);
    let without = |room: &str| -> BTreeMap<Module, String> {
        named_modules(&texts).into_iter().filter(|(m, _)| m.join("::") != room).collect()
    };
    assert!(ring(&of_rooms(&without("plan::target::draft"))).is_some(), "the path is that of its room");
    assert!(ring(&of_rooms(&without("plan::keys"))).is_none());
}

fn named_modules(texts: &[(&str, &str)]) -> BTreeMap<Module, String> {
    let module = |name: &str| name.split("::").map(str::to_owned).collect();
    texts.iter().map(|(name, text)| (module(name), (*text).to_owned())).collect()
}

/// What each room imports from the rooms beside it, in the folder that both are in.
fn of_rooms(modules: &BTreeMap<Module, String>) -> BTreeMap<&[String], BTreeSet<&[String]>> {
    let mut rooms: BTreeMap<&[String], BTreeSet<&[String]>> = BTreeMap::new();
    for (module, text) in modules {
        for imported in imports(module, text, modules) {
            // The first names in which they differ are those of their rooms.
            let common = module.iter().zip(imported).take_while(|(a, b)| a == b).count();
            if common < module.len() && common < imported.len() {
                rooms.entry(&module[..=common]).or_default().insert(&imported[..=common]);
            }
        }
    }
    rooms
}

/// All modules below `folder` with their text, without tests and comments.
fn modules(folder: &Path) -> BTreeMap<Module, String> {
    let mut all = BTreeMap::new();
    let mut folders = vec![(folder.to_owned(), Module::new())];
    while let Some((folder, at)) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let mut module = at.clone();
            if path.is_dir() {
                module.push(name);
                folders.push((path, module));
            } else if path.extension().is_some_and(|e| e == "rs") && name != "tests" {
                if !["mod", "lib", "main"].contains(&name.as_str()) {
                    module.push(name);
                }
                let text = fs::read_to_string(&path).unwrap();
                let text = crate::without_tests(&text);
                let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
                all.insert(module, code.join("\n"));
            }
        }
    }
    all
}

/// The modules that `text` names by `crate::…` or `super::…`.
fn imports<'m>(own: &Module, text: &str, modules: &'m BTreeMap<Module, String>) -> BTreeSet<&'m Module> {
    let mut all = BTreeSet::new();
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            if text[..at].ends_with("super::") || text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
                continue;
            }
            for path in paths(&text[at..]) {
                all.extend(named(own, &path, modules));
            }
        }
    }
    all
}

/// The paths that stand here, braces spread: `super::{a::X, b}` is `super::a::X` and `super::b`.
fn paths(text: &str) -> Vec<Vec<String>> {
    let plain: String = text.chars().take_while(|c| c.is_alphanumeric() || "_:".contains(*c)).collect();
    let parts = |path: &str| path.split("::").filter(|p| !p.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let rest = &text[plain.len()..];
    if !plain.ends_with("::") || !rest.starts_with('{') {
        return vec![parts(&plain)];
    }
    let (mut depth, mut item, mut all) = (0, String::new(), Vec::new());
    for c in rest.chars() {
        match c {
            '{' if depth == 0 => depth = 1,
            '}' if depth == 1 => break,
            ',' if depth == 1 => all.push(std::mem::take(&mut item)),
            c => {
                depth += i32::from(c == '{') - i32::from(c == '}');
                item.push(c);
            }
        }
    }
    all.push(item);
    let whole = all.iter().map(|item| format!("{plain}{}", item.trim()));
    whole.filter(|path| !path.ends_with("::")).flat_map(|path| paths(&path)).collect()
}

/// The module that a path leads to, as far as it names modules.
fn named<'m>(own: &Module, path: &[String], modules: &'m BTreeMap<Module, String>) -> Option<&'m Module> {
    let mut at = if path.first()? == "crate" { Module::new() } else { own.clone() };
    let mut rest = path.iter().skip(usize::from(path[0] == "crate")).peekable();
    while rest.next_if(|part| *part == "super").is_some() {
        at.pop();
    }
    for part in rest {
        at.push(part.clone());
        if !modules.contains_key(&at) {
            at.pop();
            break;
        }
    }
    modules.get_key_value(&at).map(|(module, _)| module)
}

/// A ring, if there is one.
fn ring<'m>(imports: &BTreeMap<&'m [String], BTreeSet<&'m [String]>>) -> Option<Vec<&'m [String]>> {
    imports.keys().find_map(|start| {
        // Breadth first, so that the shortest way back is found.
        let mut ways = vec![vec![*start]];
        let mut rooms_read = BTreeSet::new();
        while let Some(way) = (!ways.is_empty()).then(|| ways.remove(0)) {
            for next in imports.get(way.last()?).into_iter().flatten() {
                if next == start {
                    return Some(way);
                }
                if rooms_read.insert(*next) {
                    ways.push(way.iter().copied().chain([*next]).collect());
                }
            }
        }
        None
    })
}
