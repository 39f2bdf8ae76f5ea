//! The text of an exporter, damaged in any way, is read or refused with a line of it; what is read can be written and
//! read again, and the selection has its limits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tenbin_model::exporter::{ExporterUrl, select};
use tenbin_model::exposition::{read, series};
use tenbin_words::text::{is_hidden, is_like};

fuzz_target!(|input: (String, String)| {
    let (pattern, text) = input;
    let _ = is_like(&pattern, &text);
    if let Ok(url) = ExporterUrl::parse(&pattern) {
        let again = ExporterUrl::parse(&url.without_password()).expect("what is shown can be read");
        assert_eq!((again.plain(), &again.user), (url.plain(), &url.user));
    }
    let Ok(exposition) = read(&text) else { return };
    for sample in &exposition.samples {
        let labels = || sample.labels.iter().map(|(label, value)| (*label, &**value));
        // A carriage return is an end of a line only together with a line feed, which is escaped.
        let line = format!("{} 1", series(sample.name, labels()));
        let again = read(&line).expect("what is written can be read");
        if let Some(again) = again.samples.first() {
            assert!(again.labels.iter().map(|(label, value)| (*label, &**value)).eq(labels()));
        }
    }
    for names in [vec![], vec![pattern]] {
        let selected = select(&exposition, &names);
        assert!(selected.readings.len() <= 500 && selected.offered == exposition.samples.len());
        assert!(selected.readings.iter().all(|(spec, value)| value.is_finite() && !spec.name.contains(is_hidden)));
    }
});
