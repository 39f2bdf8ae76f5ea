//! What a page and its exports must carry: names made to harm, trials that are INVALID, a target that is dead, figures of nothing and
//! of a thousand millions, forty targets.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::variants;
use tenbin_model::doubt::Verdict;
use tenbin_model::event::{EndState, Event};
use tenbin_model::summary::Summary;
use tenbin_report::{export, page};
use tenbin_verdict::answer::answer;
use tenbin_verdict::judged::Judged;
use tenbin_words::language::Language;

fn summary(name: &str) -> Summary {
    Summary::of(&variants::named(name))
}

/// The first screen of the page, without markup.
fn first_screen(summary: &Summary) -> String {
    let html = page::render(summary, &[], Language::English);
    let (_, rest) = html.split_once("<section id=\"answer\">").unwrap();
    let answer = rest.split("</section>").next().unwrap();
    answer.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect()
}

#[test]
fn names_made_to_harm_are_text_in_every_form() {
    let summary = summary("harmful-names");
    // 200 characters, marks that turn the direction, and the end of a script stand in every text of this run.
    assert!(summary.targets().iter().any(|name| name.chars().count() == 200), "{:?}", summary.targets());
    let turns = |text: &str| text.chars().find(|c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'));
    for language in [Language::English, Language::Japanese] {
        let html = page::render(&summary, &[], language);
        assert_eq!(html.matches("</script").count(), html.matches("<script").count(), "no script ends early");
        assert!(!html.contains("</script><b>") && !html.contains("<b>b</b>") && !html.contains("<b>plan</b>"));
        // A name in a page is isolated by its style, so that its marks turn nothing else; the title and the data of charts are no flow
        // of text.
        for (at, _) in html.match_indices(['\u{202e}', '\u{202c}']) {
            let tag = html[..at].rsplit_once('<').unwrap().1;
            let is_isolated =
                tag.contains("translate=\"no\"") || tag.starts_with("title>") || tag.starts_with("script");
            assert!(is_isolated, "<{}", tag.chars().take(200).collect::<String>());
        }
        for text in [export::markdown(&summary, language), export::github(&summary, language, None)] {
            assert!(!text.contains("</script") && !text.contains("<b>"), "{text}");
            assert_eq!(turns(&text), None);
            // Each row of the table is a line, with the same number of cells.
            let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
            let cells = |row: &&str| row.replace("\\|", "").matches('|').count();
            assert!(rows.len() > 3 && rows.iter().map(cells).all(|n| n == cells(&rows[0])), "{rows:?}");
        }
    }
    let csv = export::trials(&summary, None).csv().unwrap();
    let mut read = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(read.records().map(|row| row.unwrap().len()).collect::<Vec<_>>().len(), summary.trials.len());
    let metrics = export::open_metrics(&summary, None);
    let shapes = metrics.lines().filter(|line| !line.starts_with('#')).all(|line| {
        let (name, value) = line.rsplit_once(' ').unwrap();
        name.ends_with('}') && value.parse::<f64>().is_ok()
    });
    assert!(shapes && metrics.ends_with("# EOF\n"), "{metrics}");
    serde_json::from_str::<serde_json::Value>(&export::json(&summary, None)).unwrap();
}

#[test]
fn invalid_trials_are_in_no_figure_and_that_is_said() {
    let one = summary("one-invalid");
    assert_eq!(
        one.cells().iter().map(|cell| (cell.tps.len(), cell.left_out.len())).collect::<Vec<_>>(),
        [(4, 0), (3, 1)]
    );
    let sentence = answer(&one);
    assert!(sentence.english().contains("3 pairs of runs"), "{}", sentence.english());
    assert!(first_screen(&one).contains("1 of 8 trials is INVALID"), "{}", first_screen(&one));
    let metrics = export::open_metrics(&one, None);
    let of_invalid: Vec<&str> = metrics.lines().filter(|line| line.contains("trial=\"5\"")).collect();
    assert!(of_invalid.len() == 1 && of_invalid[0].starts_with("tenbin_trial_verdict{"), "{of_invalid:?}");
    for figure in ["tenbin_trial_transactions_per_second{", "tenbin_trial_queries_per_second{"] {
        assert_eq!(metrics.lines().filter(|line| line.starts_with(figure)).count(), 7, "{figure}");
    }
    let all = summary("all-invalid");
    assert_eq!(all.verdict(), Verdict::Invalid);
    let sentence = answer(&all);
    assert!(
        sentence.english().contains("8 trials") && sentence.english().contains("INVALID"),
        "{}",
        sentence.english()
    );
    // No figure of them stands on the first screen.
    let screen = first_screen(&all);
    assert!(screen.contains("No result") && !screen.contains("against") && !screen.contains("TPS"), "{screen}");
}

#[test]
fn a_run_that_was_interrupted_says_so_on_its_first_screen() {
    let summary = summary("partial");
    let screen = first_screen(&summary);
    assert!(screen.contains("7 of 12 trials were not run") && screen.contains("one repeat only"), "{screen}");
    let html = page::render(&summary, &[], Language::English);
    let (bar, _) = html.split_once("<section id=\"answer\">").unwrap();
    assert!(bar.contains("class=\"state\"") && bar.contains("of 12 trials"), "{bar}");
    for text in [export::markdown(&summary, Language::English), export::github(&summary, Language::English, None)] {
        assert!(text.contains("7 of 12 trials were not run"), "{text}");
    }
}

/// The user stops the last trial while it warms up: nothing was measured, and nothing is wrong.
#[test]
fn a_trial_that_was_stopped_before_its_window_makes_no_run_invalid() {
    let mut events = variants::named("one-load");
    let verdict = Summary::of(&events).verdict();
    events.retain(|event| !matches!(event, Event::Interval { trial: 10, .. }));
    for event in &mut events {
        match event {
            Event::TrialFinished { trial: 10, state, measured_from_ns, measured_to_ns, .. } => {
                (*state, *measured_to_ns) = (EndState::Partial, *measured_from_ns);
            }
            Event::RunFinished { state, .. } => *state = EndState::Partial,
            _ => {}
        }
    }
    let summary = Summary::of(&events);
    assert_eq!(summary.verdict(), verdict);
    let sentence = answer(&summary);
    assert!(sentence.english().ends_with("1 of 10 trials was not run."), "{}", sentence.english());
    let screen = first_screen(&summary);
    assert!(!screen.contains("INVALID") && screen.contains("1 of 10 trials was not run"), "{screen}");
    let csv = export::trials(&summary, None).csv().unwrap();
    assert_eq!(csv.lines().filter(|line| line.contains(",partial,,")).count(), 1, "it has no verdict: {csv}");
}

#[test]
fn a_target_that_was_dead_from_the_start_is_compared_with_nothing() {
    let summary = summary("one-dead");
    let sentence = answer(&summary);
    assert!(
        sentence.english().contains("alive completed") && !sentence.english().contains("than dead"),
        "{}",
        sentence.english()
    );
    let json: serde_json::Value = serde_json::from_str(&export::json(&summary, None)).unwrap();
    assert_eq!(json["comparisons"], serde_json::json!([]));
    let screen = first_screen(&summary);
    assert!(!screen.contains("against dead") && screen.contains("Of dead there is no result"), "{screen}");
    assert!(screen.contains("dead no result"), "on the card: {screen}");
    assert_ne!(summary.verdict(), Verdict::Valid);
    assert!(screen.contains("9 of 18 trials are INVALID"), "{screen}");
}

/// As a target that was dead is named.
#[test]
fn a_value_of_an_axis_without_a_result_is_named() {
    let (mut events, mut of_large) = (variants::named("along-size"), Vec::new());
    for event in &mut events {
        match event {
            Event::TrialPlanned { planned, .. } if planned.dataset.name == "large" => of_large.push(planned.number),
            Event::TrialFinished { trial, client_halts, measured_from_ns, measured_to_ns, .. }
                if of_large.contains(trial) =>
            {
                client_halts.suspended_ns = *measured_to_ns - *measured_from_ns;
            }
            _ => {}
        }
    }
    let screen = first_screen(&Summary::of(&events));
    assert!(screen.contains("large no result") && screen.contains("Of data set large there is no result"), "{screen}");
}

#[test]
fn figures_of_nothing_and_of_a_thousand_million_are_written_as_figures() {
    let mut events = variants::named("nothing-and-much");
    for event in &mut events {
        if let Event::Interval { tally, .. } = event {
            // That many statements cannot be in progress at a time: the trials would be INVALID, and their figures left out.
            tally.statements.clear();
        }
    }
    let summary = Summary::of(&events);
    let texts = [
        page::render(&summary, &[], Language::English).split("<script").next().unwrap().to_owned(),
        export::markdown(&summary, Language::English),
        export::github(&summary, Language::English, None),
        export::open_metrics(&summary, None),
        export::trials(&summary, None).csv().unwrap(),
    ];
    for text in &texts {
        for absurd in [">NaN", ">inf", " NaN", " inf", "|NaN", ",NaN", ",inf", "Infinity", "e+"] {
            assert!(!text.contains(absurd), "{absurd} in {}", &text[..200.min(text.len())]);
        }
    }
    assert!(texts[1].contains("1,000,000,000"), "{}", texts[1]);
    let csv = texts[4].lines().skip(1).filter(|line| line.contains(",1000000000.000,")).count();
    assert_eq!(csv, 6, "three repeats of two cells");
}

#[test]
fn forty_targets_have_a_card_with_a_fold() {
    let summary = summary("forty-targets");
    let html = page::render(&summary, &[], Language::English);
    let (_, card) = html.split_once("<table class=\"forest").unwrap();
    let shown = card.split("</table>").next().unwrap().split_once("<tbody>").unwrap().1;
    assert_eq!(shown.matches("<th").count(), 12);
    assert!(card.contains("<summary>+ 28</summary>"), "the other 28");
    assert!(answer(&summary).english().len() < 1000, "the sentence does not name all of them");
}

#[test]
fn a_ratio_that_follows_from_an_undecided_one_stands_as_grey_as_that() {
    let queries = |events: &[Event]| {
        let html = page::render(&Summary::of(events), &[], Language::English);
        let (before, _) = html.split_once("the queries").unwrap();
        before.rsplit_once("<dt").unwrap().1.starts_with(" class=\"muted\"")
    };
    let mut events = variants::named("one-load");
    assert!(!queries(&events));
    // Every other repeat is that of the other target: neither is ahead.
    for event in &mut events {
        if let Event::TrialPlanned { planned, .. } = event
            && planned.repeat % 2 == 0
        {
            planned.target.name = if planned.target.name == "flush-1" { "flush-2" } else { "flush-1" }.to_owned();
        }
    }
    assert!(queries(&events));
    assert!(queries(&variants::named("tpcc")), "two pairs of runs, whose headline is grey too");
}
