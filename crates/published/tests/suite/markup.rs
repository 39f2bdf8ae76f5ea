//! Links, signs of footnotes, units in a row of their own and signs of full width: each table with the figures that are right.

use crate::reading::agree;

#[test]
fn links_and_signs_of_footnotes_are_no_part_of_a_cell() {
    agree(&[
        (
            "|threads|[TPS](http://x/y)|avg ms|\n|-|-|-|\n|8|[1000](a.log)|8.0|\n|16|![x](b.png)[1500](b.log \"b\")|10.67|\n",
            "clients 8 tps 1000 mean_ms 8; clients 16 tps 1500 mean_ms 10.67",
        ),
        (
            "|DB|threads|TPS|avg ms|\n|-|-|-|-|\n|A[^1]|8|1000*|8.0|\n|B|8|900†|*8.89*|\n\n[^1]: with fsync\n",
            "A clients 8 tps 1000 mean_ms 8; B clients 8 tps 900 mean_ms 8.89",
        ),
        ("|DB|threads|TPS|\n|-|-|-|\n|[a]|8|1000|\n|*|8|900|\n", "[a] clients 8 tps 1000; * clients 8 tps 900"),
    ]);
}

#[test]
fn blocks_in_a_cell_are_apart_and_what_is_crossed_out_is_not_read() {
    let page = |first: &str, second: &str| {
        format!(
            "<table><tr><th>threads<th>TPS<th>avg (ms)<tr><td>4<td>{first}<td>8<tr><td>32<td>{second}<td>16</table>"
        )
    };
    let corrected = "clients 4 tps 500 mean_ms 8; clients 32 tps 2000 mean_ms 16";
    let second_only = "clients 4 mean_ms 8; clients 32 tps 2000 mean_ms 16";
    agree(&[
        (&page("<del>9</del><ins>500</ins>", "<s>1000</s> 2000"), corrected),
        (&page("<p>500</p><p>510</p>", "<div>2000</div>"), second_only),
        (&page("<ul><li>500</li><li>510</li></ul>", "<p>2000</p>"), second_only),
        ("|threads|TPS|avg ms|\n|-|-|-|\n|4|~~9~~ 500|8|\n|32|~~1000~~ **2000**|16|\n", corrected),
        ("|threads|TPS|avg ms|\n|-|-|-|\n|4|<div>500</div><div>510</div>|8|\n|32|2000|16|\n", second_only),
        (
            "<table><tr><th>threads<th><p>Average</p><p>TPS</p><th>avg (ms)<button>sort</button><tr><td>4<td>500<td>8</table>",
            "clients 4 tps 500 mean_ms 8",
        ),
    ]);
}

#[test]
fn a_row_of_units_belongs_to_the_headings_above_it() {
    agree(&[
        (
            "|threads|avg|p99|max|\n|-|-|-|-|\n||(us)|(us)|(ms)|\n|8|850|2100|120|\n",
            "clients 8 mean_ms 0.85 p99_ms 2.1 max_ms 120",
        ),
        ("threads,TPS,avg\n,,ms\n8,1000,8\n", "clients 8 tps 1000 mean_ms 8"),
        ("Threads,TPS,Latency\n[n],[1/s],[s]\n8,1000,0.008\n", "clients 8 tps 1000 mean_ms 8"),
        ("Threads,TPS,Throughput,p95\n,,(MB/s),(ms)\n8,1000,12,9\n", "clients 8 tps 1000 p95_ms 9"),
    ]);
}

#[test]
fn commas_and_digits_of_full_width_are_read() {
    agree(&[(
        "スレッド数，ＴＰＳ，平均応答時間（ｍｓ）\n８，１０００，８．０\n１６，１５００，１０．６７\n",
        "clients 8 tps 1000 mean_ms 8; clients 16 tps 1500 mean_ms 10.67",
    )]);
}

/// The lines of a frame of dashes as one of the characters by which terminals draw.
fn drawn(grid: &str) -> String {
    grid.chars()
        .map(|c| match c {
            '|' => '│',
            '-' => '─',
            '=' => '═',
            '+' => '┼',
            c => c,
        })
        .collect()
}

#[test]
fn cells_of_frames_and_of_textile_span_columns_and_rows() {
    let rows = "| 8       | 1000 | 8.0      | 1100 | 7.27     |\n+---------+------+----------+------+----------+\n| 16      | 1500 | 10.67    | 1600 | 10.0     |\n+---------+------+----------+------+----------+\n";
    let grid = format!(
        "+---------+-----------------+-----------------+\n|         | MySQL           | PostgreSQL      |\n\
         +---------+------+----------+------+----------+\n| Threads | TPS  | avg (ms) | TPS  | avg (ms) |\n\
         +=========+======+==========+======+==========+\n{rows}"
    );
    let spanned = format!(
        "+---------+-----------------+-----------------+\n|         | MySQL           | PostgreSQL      |\n\
         | Threads +------+----------+------+----------+\n|         | TPS  | avg (ms) | TPS  | avg (ms) |\n\
         +=========+======+==========+======+==========+\n{rows}"
    );
    let textile = "|_/2. Threads|_\\2. MySQL|_\\2. PostgreSQL|\n|_. TPS|_. avg (ms)|_. TPS|_. avg (ms)|\n|8|1000|8.0|1100|7.27|\n|16|1500|10.67|1600|10.0|\n";
    let ruled = "=======  ====  ========  ====  ========\n\\        MySQL           PostgreSQL\n-------  --------------  --------------\n\
                 Threads  TPS   avg (ms)  TPS   avg (ms)\n=======  ====  ========  ====  ========\n\
                 8        1000  8.0       1100  7.27\n16       1500  10.67     1600  10.0\n=======  ====  ========  ====  ========\n";
    let wanted = "MySQL clients 8 tps 1000 mean_ms 8; PostgreSQL clients 8 tps 1100 mean_ms 7.27; MySQL clients 16 tps 1500 mean_ms 10.67; PostgreSQL clients 16 tps 1600 mean_ms 10";
    for text in [&grid, &spanned, &drawn(&grid), &drawn(&spanned), textile, ruled] {
        agree(&[(text, wanted)]);
    }
    let body = "+---------+------------+------+\n| Threads | Server     | TPS  |\n+=========+============+======+\n| 8       | MySQL      | 1000 |\n\
                |         +------------+------+\n|         | PostgreSQL | 1100 |\n+---------+------------+------+\n| 16      | MySQL      | 1500 |\n+---------+------------+------+\n";
    let textile = "|_. Threads|_. Server|_. TPS|\n|/2. 8|MySQL|1000|\n|PostgreSQL|1100|\n|16|MySQL|1500|\n";
    for text in [body, &drawn(body), textile] {
        agree(&[(text, "MySQL clients 8 tps 1000; PostgreSQL clients 8 tps 1100; MySQL clients 16 tps 1500")]);
    }
}

#[test]
fn names_above_headings_stand_where_their_blanks_put_them() {
    agree(&[
        (
            "            v6.1.0    v6.5.0\nthreads     tps       tps\n8           1203.4    1100.2\n16          1500.5    1400.1\n",
            "v6.1.0 clients 8 tps 1203.4; v6.5.0 clients 8 tps 1100.2; v6.1.0 clients 16 tps 1500.5; v6.5.0 clients 16 tps 1400.1",
        ),
        (
            "        MySQL         PostgreSQL\nThreads TPS  avg(ms)  TPS  avg(ms)\n8       1000 8.0      1100 7.27\n16      1500 10.67    1600 10.0\n",
            "MySQL clients 8 tps 1000 mean_ms 8; PostgreSQL clients 8 tps 1100 mean_ms 7.27; MySQL clients 16 tps 1500 mean_ms 10.67; PostgreSQL clients 16 tps 1600 mean_ms 10",
        ),
        // Names that stand over nothing are those of no column.
        (
            "v6.1.0  v6.5.0\nthreads               tps     tps\n8                     1203.4  1100.2\n",
            "clients 8 tps 1203.4",
        ),
    ]);
}
