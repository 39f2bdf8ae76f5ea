//! The order in which the trials of a plan are run.

use crate::common::trials::{TWO, trials};
use crate::plan::lines;
use tenbin_model::trial::Trial;

#[test]
fn data_are_loaded_most_rarely_and_servers_changed_as_rarely_as_that_permits() {
    let matrix =
        "[experiment.matrix]\nload.clients = [1, 2]\nserver.sync_binlog = [0, 1]\ndataset.table_size = [10, 20]\n";
    for order in ["random-block", "abba", "sequential"] {
        let all = trials(&format!("{TWO}order = \"{order}\"\n{matrix}"));
        let block: Vec<&Trial> = all
            .iter()
            .filter(|t| (t.repeat == 1 || order == "abba") && (t.target.place == 0 || order != "sequential"))
            .collect();
        let changes = |key: fn(&Trial) -> String| block.windows(2).filter(|pair| key(pair[0]) != key(pair[1])).count();
        assert_eq!(changes(|t| t.dataset.options["table_size"].clone()), 1, "{order}");
        let server = |t: &Trial| format!("{} {}", t.dataset.options["table_size"], t.target.server["sync_binlog"]);
        assert_eq!(changes(server), 3, "{order}: two settings for each of two data sets");
    }
}

#[test]
fn abba_goes_there_and_back() {
    let text = format!("{TWO}order = \"abba\"\n[experiment.matrix]\n\"load.clients\" = [1, 2]\n");
    insta::assert_snapshot!(lines(&trials(&text)), @r#"
    1 e a cell 1 repeat 1 load.clients=1
    2 e b cell 1 repeat 1 load.clients=1
    3 e b cell 1 repeat 2 load.clients=1
    4 e a cell 1 repeat 2 load.clients=1
    5 e a cell 2 repeat 1 load.clients=2
    6 e b cell 2 repeat 1 load.clients=2
    7 e b cell 2 repeat 2 load.clients=2
    8 e a cell 2 repeat 2 load.clients=2
    "#);
    // Which target begins is drawn for each cell.
    let clients: Vec<String> = (1..=40).map(|n| n.to_string()).collect();
    let text = text.replace("[1, 2]", &format!("[{}]", clients.join(", ")));
    let all = trials(&text);
    let begins =
        |t: &&Trial| all.iter().find(|other| other.cell == t.cell).is_some_and(|first| first.number == t.number);
    let first: Vec<&str> = all.iter().filter(begins).map(|t| t.target.name.as_str()).collect();
    let of_a = first.iter().filter(|name| **name == "a").count();
    assert!(first.len() == 40 && (8..=32).contains(&of_a), "{first:?}");
}

#[test]
fn sequential_takes_one_target_after_the_other() {
    let text = format!("{TWO}order = \"sequential\"\n[experiment.matrix]\n\"load.clients\" = [1, 2]\n");
    insta::assert_snapshot!(lines(&trials(&text)), @r#"
    1 e a cell 1 repeat 1 load.clients=1
    2 e a cell 1 repeat 2 load.clients=1
    3 e a cell 2 repeat 1 load.clients=2
    4 e a cell 2 repeat 2 load.clients=2
    5 e b cell 1 repeat 1 load.clients=1
    6 e b cell 1 repeat 2 load.clients=1
    7 e b cell 2 repeat 1 load.clients=2
    8 e b cell 2 repeat 2 load.clients=2
    "#);
}
