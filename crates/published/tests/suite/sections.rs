//! Rows of a table that are nothing but a name: it belongs to the rows below it, which are no repeats of those below another one.

use crate::reading::{agree, remarks, shown};
use tenbin_published::{audit, read};

fn repeated(text: &str) -> bool {
    let read = read(text.as_bytes(), "x").unwrap_or_else(|why| panic!("{why:?}: {text}"));
    audit(&read).confirmed.iter().any(|message| message.is("published-repeated"))
}

const OLD_AND_NEW: &str = "old clients 4 tps 500 mean_ms 8; old clients 32 tps 900 mean_ms 35.56; new clients 4 tps 640 mean_ms 6.25; new clients 32 tps 990 mean_ms 32.32";

#[test]
fn a_row_with_a_name_names_the_rows_below_it() {
    let markdown = "|Threads|TPS|avg (ms)|\n|-|-|-|\n|**old**|||\n|4|500|8|\n|32|900|35.56|\n|**new**|||\n|4|640|6.25|\n|32|990|32.32|\n";
    let page = "<table><tr><th>Threads<th>TPS<th>avg (ms)<tr><td colspan=3>old<tr><td>4<td>500<td>8<tr><td>32<td>900<td>35.56\
        <tr><td colspan=3>new<tr><td>4<td>640<td>6.25<tr><td>32<td>990<td>32.32</table>";
    let semicolons = "Threads;TPS;avg (ms)\nold;;\n4;500;8\n32;900;35.56\nnew;;\n4;640;6.25\n32;990;32.32\n";
    let blocks =
        "old\nThreads,TPS,avg_ms\n4,500,8\n32,900,35.56\n\nnew\nThreads,TPS,avg_ms\n4,640,6.25\n32,990,32.32\n";
    let spaced = "Threads TPS avg_ms\nold\n4 500 8\n32 900 35.56\nnew\n4 640 6.25\n32 990 32.32\n";
    for text in [markdown, page, semicolons, blocks, spaced] {
        assert_eq!(shown(text), OLD_AND_NEW, "{text}");
        assert!(!repeated(text) && remarks(text).contains(&"published-section".to_owned()), "{text}");
    }
    agree(&[
        (
            "|DB|TPS|\n|-|-|\n|**4 threads**||\n|A|500|\n|B|600|\n|**32 threads**||\n|A|900|\n|B|990|\n",
            "A clients 4 tps 500; B clients 4 tps 600; A clients 32 tps 900; B clients 32 tps 990",
        ),
        (
            "|Threads|TPS|\n|-|-|\n|A||\n|cold||\n|4|50|\n|warm||\n|4|500|\n|B||\n|cold||\n|4|60|\n",
            "A, cold clients 4 tps 50; A, warm clients 4 tps 500; B, cold clients 4 tps 60",
        ),
        (
            "|Item|A|B|\n|-|-|-|\n|**4 threads**|||\n|TPS|500|640|\n|p95 (ms)|9|8|\n|**32 threads**|||\n|TPS|900|990|\n|p95 (ms)|41|40|\n",
            "A clients 4 tps 500 p95_ms 9; B clients 4 tps 640 p95_ms 8; A clients 32 tps 900 p95_ms 41; B clients 32 tps 990 p95_ms 40",
        ),
        (
            "|Item|Value|\n|-|-|\n|**4 threads**||\n|TPS|500|\n|p95 (ms)|9|\n|**32 threads**||\n|TPS|900|\n|p95 (ms)|41|\n",
            "clients 4 tps 500 p95_ms 9; clients 32 tps 900 p95_ms 41",
        ),
        (
            "|Threads|TPS|\n|-|-|\n|run 1||\n|4|500|\n|run 2||\n|4|510|\n",
            "run=run 1 clients 4 tps 500; run=run 2 clients 4 tps 510",
        ),
        // What was not measured is no name of the next, and a note at the end is none at all.
        ("|DB|TPS|\n|-|-|\n|A|500|\n|B||\n|C|600|\n", "A tps 500; C tps 600"),
        ("|Threads|TPS|\n|-|-|\n|4|500|\n|32|900|\n|both on one host||\n", "clients 4 tps 500; clients 32 tps 900"),
    ]);
    assert_eq!(remarks("|Threads|TPS|\n|-|-|\n|4|500|\n|32|900|\n|both on one host||\n"), ["published-no-number"]);
}

#[test]
fn names_of_figures_say_what_the_rows_below_them_are() {
    agree(&[
        (
            "|Threads|A|B|\n|-|-|-|\n|**TPS**|||\n|4|500|640|\n|32|900|990|\n|**p95 (ms)**|||\n|4|9|8|\n|32|41|40|\n",
            "A clients 4 tps 500 p95_ms 9; B clients 4 tps 640 p95_ms 8; A clients 32 tps 900 p95_ms 41; B clients 32 tps 990 p95_ms 40",
        ),
        (
            "|Threads|A|B|\n|-|-|-|\n|**TPS**|||\n|4|500|640|\n|**Length of the queue**|||\n|4|9|8|\n",
            "A clients 4 tps 500; B clients 4 tps 640",
        ),
    ]);
}

#[test]
fn rows_that_do_not_fit_may_be_names() {
    let spaced = |name: &str| format!("Threads TPS avg_ms\n4 500 8\n{name}\n4 640 6.25\n");
    assert!(!repeated(&spaced("other 8.0")) && repeated(&spaced("")), "{}", shown(&spaced("other 8.0")));
    let metrics = "|Item|A|B|\n|-|-|-|\n|TPS|500|640|\n|p95 (ms)|9|8|\n";
    agree(&[(metrics, "A tps 500 p95_ms 9; B tps 640 p95_ms 8")]);
}
