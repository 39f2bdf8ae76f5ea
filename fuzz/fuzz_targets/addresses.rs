//! Addresses: none makes anything panic, what is written reads back the same, nothing that a terminal acts upon comes
//! out, and a password comes out of nothing that shows an address or a plan with one in it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tenbin_model::dsn::{Dsn, redact};
use tenbin_model::plan::Plan;
use tenbin_words::text::{visible, visible_lines};

/// Stands where a password may; no ordinary text holds it.
const SECRET: &str = "s3cr3t-Zq9";

fuzz_target!(|input: (u8, String)| {
    let (place, text) = input;
    if let Ok(dsn) = Dsn::parse(&text) {
        let shown = dsn.to_string();
        assert_eq!(visible(&shown), shown.as_str());
        let again = Dsn::parse(&shown).expect("what is shown can be read");
        assert_eq!(Dsn { password: None, ..dsn }, Dsn { password: None, ..again });
    }
    let twice = redact(&redact(&text));
    let _ = twice;
    assert_eq!(visible(&visible(&text)), visible(&text));
    assert!(!visible_lines(&text).contains('\u{1b}'));

    if text.contains(SECRET) || text.contains(['\n', '"', '\\']) {
        return;
    }
    // A password in its right place, and something else anywhere around it.
    let (before, after) =
        text.split_at((0..=text.len()).rev().find(|i| text.is_char_boundary(*i) && *i <= text.len() / 2).unwrap_or(0));
    let scheme = ["mysql://", "mysql:", "mariadb://", "postgres://", "postgresql:"][usize::from(place) % 5];
    let user: String = before.chars().filter(|c| !":@/?#".contains(*c)).collect();
    let named = ["password", "passwd", "pwd", "pass"][usize::from(place) / 5 % 4];
    let host: String = after.chars().filter(|c| !":@?&".contains(*c)).collect();
    for address in [
        format!("{scheme}{user}:{SECRET}@{after}"),
        format!("{scheme}{user}:{before}{SECRET}@{after}"),
        format!("{scheme}{user}@{host}?{named}={SECRET}"),
        format!("{scheme}{user}@{host}?{named}={SECRET}&{host}"),
    ] {
        let mut told = vec![redact(&address), redact(&format!("dsn = \"{address}\""))];
        match Dsn::parse(&address) {
            Ok(dsn) => told.push(format!("{dsn} {dsn:?}")),
            Err(problem) => told.push(problem.to_string()),
        }
        let plan = format!("schema = 1\n[targets.a]\ndsn = \"{address}\"\n");
        match Plan::parse(&plan, &tenbin_model::workload::Catalog::EMPTY) {
            Ok(plan) => told.push(plan.text),
            Err(all) => told.extend(all.iter().map(ToString::to_string)),
        }
        for text in told {
            assert!(!text.contains(SECRET), "{address} comes out as {text}");
        }
    }
});
