//! The SQL that the workload slap generates, as text: seed in, statements out.

use tenbin_slap::{list_length, only_print};
use tenbin_workload::options::OptionMap;

fn given(pairs: &[(&str, &str)]) -> OptionMap {
    pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

/// What is sent, a statement a line; strings of 126 letters are shown by their first four.
fn printed(data: &[(&str, &str)], load: &[(&str, &str)], clients: u32, repeats: u32) -> String {
    let mut out = String::new();
    let mut say = |sql: &[u8]| out.push_str(&(String::from_utf8_lossy(sql).into_owned() + "\n"));
    only_print(&given(data), &given(load), clients, repeats, true, &mut say).unwrap_or_else(|p| panic!("{p}"));
    let short = |word: &str| match word.len() {
        126 => format!("{}…", &word[..4]),
        _ => word.to_owned(),
    };
    out.split('\'').map(short).collect::<Vec<_>>().join("'")
}

fn refused(data: &[(&str, &str)], load: &[(&str, &str)]) -> String {
    only_print(&given(data), &given(load), 1, 1, true, &mut |_| ()).expect_err("refused").to_string()
}

#[test]
fn mixed_as_mysqlslap_has_it() {
    let text = printed(&[("preload", "2"), ("engine", "innodb")], &[("queries", "4")], 2, 1);
    insta::assert_snapshot!(text, @r"
    DROP SCHEMA IF EXISTS `mysqlslap`
    CREATE SCHEMA `mysqlslap`
    use mysqlslap
    CREATE TABLE `t1` (intcol1 INT(32) ,charcol1 VARCHAR(128)) Engine = innodb
    INSERT INTO t1 VALUES (1804289383,'mxvt…')
    INSERT INTO t1 VALUES (822890675,'97RG…')
    INSERT INTO t1 VALUES (100669,'qnMd…')
    SELECT intcol1,charcol1 FROM t1
    INSERT INTO t1 VALUES (100669,'qnMd…')
    SELECT intcol1,charcol1 FROM t1
    ");
}

#[test]
fn what_does_not_divide_is_shared_out_and_a_small_total_is_not_unlimited() {
    let count = |total: &str, clients| {
        printed(&[("preload", "0")], &[("queries", total), ("type", "read")], clients, 1).matches("SELECT").count()
    };
    assert_eq!(count("7", 2), 7, "mysqlslap: 6");
    assert_eq!(count("3", 4), 3, "mysqlslap: 44");
    let once = printed(&[("preload", "0")], &[("once", "on"), ("type", "read")], 4, 2);
    assert_eq!(once.matches("SELECT").count(), 88);
}

#[test]
fn commits_follow_so_many_statements_and_the_end() {
    let text = printed(
        &[("generate", "off"), ("delimiter", ";")],
        &[("query", "select 1;select 2;select 3"), ("delimiter", ";"), ("once", "on"), ("commit", "2")],
        1,
        1,
    );
    assert_eq!(text, "SET AUTOCOMMIT=0\nselect 1\nselect 2\nCOMMIT\nselect 3\nCOMMIT\n");
}

#[test]
fn own_tables_get_the_engine_where_it_belongs() {
    let text = printed(
        &[
            ("generate", "off"),
            ("create", "set names utf8; create table a(x int); insert into a values (1)"),
            ("delimiter", ";"),
            ("engine", "memory:max_rows=10"),
            ("pre_query", "set @a=1;set @b=2"),
            ("post_query", "select 9"),
        ],
        &[("query", "select x from a where x=';'"), ("delimiter", ";"), ("once", "on")],
        1,
        1,
    );
    insta::assert_snapshot!(text, @r"
    DROP SCHEMA IF EXISTS `mysqlslap`
    CREATE SCHEMA `mysqlslap`
    use mysqlslap
    set names utf8
    create table a(x int) Engine = memory max_rows=10
    insert into a values (1)
    set @a=1
    set @b=2
    select x from a where x=';'
    select 9
    ");
}

#[test]
fn what_would_be_no_sql_is_refused() {
    let none = [("int_cols", "0"), ("char_cols", "0")];
    insta::assert_snapshot!(refused(&none, &[("type", "update")]), @r"
    a table with neither int nor char columns leaves nothing to ask for
      evidence  mysqlslap sends `SELECT  FROM t1` then, which is no SQL
      hint      int_cols or char_cols of at least 1 (--number-int-cols, --number-char-cols)
    ");
    assert!(refused(&[&none[..], &[("primary_key", "guid")]].concat(), &[("type", "write")]).contains("neither"));
    assert!(refused(&[], &[("type", "key")]).contains("needs a primary key"));
    assert!(refused(&[("delimiter", "")], &[("query", "select 1")]).contains("the delimiter is empty"));
    assert!(refused(&[], &[("query", " -- x\n \n")]).contains("no statement"));
    assert!(refused(&[], &[("query_file", "/nowhere/q.sql")]).contains("cannot be read"));
    assert!(refused(&[], &[("queries", "1"), ("once", "on")]).contains("different things"));
}

#[test]
fn the_fixed_profile_has_a_key_and_distinct_rows() {
    let text = printed(
        &[("profile", "fixed"), ("preload", "3")],
        &[("queries", "0"), ("once", "off"), ("queries_per_client", "1")],
        0,
        1,
    );
    insta::assert_snapshot!(text, @r"
    DROP SCHEMA IF EXISTS `mysqlslap`
    CREATE SCHEMA `mysqlslap`
    use mysqlslap
    CREATE TABLE `t1` (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,intcol1 INT(32) ,charcol1 VARCHAR(128))
    INSERT INTO t1 VALUES (1,784584113,'w6xs…'),(2,1447349937,'MdyH…'),(3,1983781182,'I6Yf…')
    ");
}

#[test]
fn the_list_is_one_longer_than_asked_for() {
    assert_eq!(list_length(&given(&[]), &given(&[])).ok(), Some(Some(11)));
    assert_eq!(list_length(&given(&[]), &given(&[("unique_queries", "0")])).ok(), Some(Some(1)));
}
