//! A published table or log, damaged in any way, is read or refused; what is read can be doubted and drawn.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tenbin_words::language::Language;
use tenbin_published::{audit, read};
use tenbin_report::published::{json, markdown, page};

fuzz_target!(|bytes: &[u8]| {
    let Ok(published) = read(bytes, "x") else { return };
    let audited = audit(&published);
    assert!(audited.doubts.iter().all(|found| found.touches.iter().all(|(at, _)| *at < published.results.len())));
    let written: serde_json::Value = serde_json::from_str(&json(&published, &audited)).expect("it is JSON");
    assert_eq!(written["results"].as_array().map(Vec::len), Some(published.results.len()));
    let _ = markdown(&published, &audited, Language::Japanese);
    let html = page(&published, &audited, "0", Language::English);
    assert!(html.trim_end().ends_with("</html>"), "the template can be rendered");
});
