//! What is given to others (`make dist`): its forms and files have the same names in the scripts and on the pages that tell how to install them.

#![expect(clippy::unwrap_used, reason = "a test may")]

use super::root;
use std::collections::BTreeSet;
use std::fs;

/// Who tells what to type.
const PAGES: [&str; 5] = ["README.md", "README.ja.md", "doc/installation.md", "deploy/compose.yaml", "Makefile"];

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
}

fn settings() -> toml::Table {
    read("Cargo.toml").parse().unwrap()
}

fn version() -> String {
    settings()["workspace"]["package"]["version"].as_str().unwrap().to_owned()
}

/// A list of the script, as `forms=(…)`.
fn list(name: &str) -> BTreeSet<String> {
    let script = read("tools/dist.sh");
    let words = script.lines().find_map(|line| line.strip_prefix(&format!("{name}=(")));
    words.unwrap().trim_end_matches(')').split_whitespace().map(str::to_owned).collect()
}

#[test]
fn each_form_is_described_and_made_and_no_page_names_another() {
    let forms = list("forms");
    assert!(forms.len() > 5 && list("usual").is_subset(&forms), "{forms:?}");
    let script = read("tools/dist.sh");
    let head: Vec<&str> = script.lines().take_while(|line| line.starts_with('#')).collect();
    for form in &forms {
        let words = |line: &&str| line.split([' ', ',']).any(|word| word == form);
        assert!(head.iter().any(words), "{form} is not in the head of tools/dist.sh");
        assert!(script.contains(&format!("\nform_{}() {{", form.replace('-', "_"))), "nothing makes {form}");
    }
    for page in PAGES {
        let text = read(page);
        let named = text.split("FORMS=\"").skip(1).flat_map(|rest| rest.split('"').next().unwrap().split(' '));
        let unknown: Vec<&str> = named.filter(|form| !forms.contains(*form)).collect();
        assert!(unknown.is_empty(), "{page}: make dist makes no {unknown:?}");
    }
}

#[test]
fn each_file_that_a_page_names_is_one_that_is_made() {
    let version = version();
    let made: BTreeSet<String> = [
        "tenbin-V-x86_64-unknown-linux-gnu.tar.xz",
        "tenbin-V-x86_64-unknown-linux-musl.tar.xz",
        "tenbin-V-aarch64-unknown-linux-gnu.tar.xz",
        "tenbin-V-aarch64-unknown-linux-musl.tar.xz",
        "tenbin_V_amd64.deb",
        "tenbin_V_arm64.deb",
        "tenbin-names_V_all.deb",
        "tenbin-V-1.x86_64.rpm",
        "tenbin-V-1.aarch64.rpm",
        "tenbin-names-V-1.noarch.rpm",
        "tenbin-V-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
        "tenbin-V-py3-none-manylinux2014_aarch64.manylinux_2_17_aarch64.whl",
        "tenbin-V-image-amd64.tar",
        "tenbin-V-image-arm64.tar",
        "tenbin-V.cdx.json",
    ]
    .map(|name| name.replace('V', &version))
    .into();
    let endings = [".tar.xz", ".tar", ".deb", ".rpm", ".whl", ".cdx.json"];
    let mut named = BTreeSet::new();
    for page in PAGES {
        let text = read(page);
        let words = text.split(|c: char| c.is_whitespace() || "`|,、()\"/".contains(c));
        for word in words.filter(|word| word.starts_with("tenbin") && !word.contains('…')) {
            if endings.iter().any(|ending| word.ends_with(ending)) {
                assert!(made.contains(word), "{page}: make dist makes no {word}");
                named.insert(word.to_owned());
            }
            if let Some(image) = word.strip_prefix("tenbin:").filter(|image| !image.is_empty()) {
                assert_eq!(image, version, "{page}: the version of the image");
            }
        }
    }
    assert!(named.len() > 8, "the files were not found on the pages: {named:?}");
}

/// A wrong name would only be a warning of Cargo.
#[test]
fn what_is_compiled_for_size_is_a_package() {
    let (settings, lock) = (settings(), read("Cargo.lock"));
    for profile in ["dist", "demo", "dev"] {
        let packages = settings["profile"][profile]["package"].as_table().unwrap();
        let unknown: Vec<&String> =
            packages.keys().filter(|name| !lock.contains(&format!("\nname = \"{name}\"\n"))).collect();
        assert!(unknown.is_empty(), "Cargo.toml, profile {profile}: no packages: {unknown:?}");
    }
}
