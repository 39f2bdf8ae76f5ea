//! Values that pgbench 15.18 has, against those of the language. All of the tables were printed by the real one, by `debug()`, with `--random-seed`.

#![expect(clippy::unwrap_used, reason = "a test may")]

mod places;

use tenbin_sql::language::*;

/// What `debug()` prints in this many transactions of a script, for the first client.
fn debugged(text: &str, seed: u64, transactions: usize, definitions: &[(&str, &str)]) -> Result<Vec<String>, String> {
    let mut names = Names::default();
    let script = Script::parse("x.sql", text.as_bytes(), Dialect::Postgres, &mut names).map_err(|e| e.as_pgbench())?;
    let seeds = Seeds::draw(seed, 1, 1, None);
    let mut variables = Variables::new(&names);
    variables.set(names.slot("default_seed"), Value::Int(seeds.default_seed));
    for (name, value) in definitions {
        variables.set_text(names.slot(name), value.as_bytes());
    }
    let mut machine = Machine::new(variables, Generator::new(seeds.clients[0]));
    for _ in 0..transactions {
        machine.begin();
        while machine.step(&script, &names).map_err(|e| e.to_string())? != ScriptStep::End {}
    }
    Ok(machine.debug.iter().map(|line| line.value.to_string()).collect())
}

fn result(expression: &str, definitions: &[(&str, &str)]) -> String {
    let text = format!("\\set a debug({expression})\n");
    match debugged(&text, 5432, 1, definitions) {
        Ok(lines) => lines.join("#"),
        Err(error) => error.lines().next().unwrap().to_owned(),
    }
}

const DISTRIBUTIONS: &str = r"
\set a debug(random(1, 100))
\set a debug(random(-5000000000, 5000000000))
\set a debug(random(-4611686018427387904, 4611686018427387902))
\set a debug(random_exponential(1, 1000, 2.5))
\set a debug(random_exponential(-10, 10, 0.001))
\set a debug(random_gaussian(1, 1000, 2.0))
\set a debug(random_gaussian(-100, 100, 5.5))
\set a debug(random_zipfian(1, 1000000, 1.001))
\set a debug(random_zipfian(1, 100, 1.5))
\set a debug(random_zipfian(1, 100000, 999.0))
\set a debug(random_zipfian(-5, 5, 2.0))
\set a debug(random(7, 7))
\set a debug(random(1, 100000))
";

#[test]
fn random_numbers_are_those_of_pgbench() {
    let table = [
        (
            5432,
            "58 845028262 -2407324821486532750 242 4 646 -28 142 2 1 -4 7 42187 \
             6 -4719067508 3079185809303413981 397 10 150 -17 7 7 1 -5 7 73103 \
             5 -1525452385 -3086051448749982816 41 5 632 6 185 3 1 -5 7 6215",
        ),
        (
            1,
            "82 -4761685809 812893969542380050 517 0 406 6 2 1 1 -5 7 10431 \
             60 -3388314476 4135164518544162729 605 -3 639 3 369836 1 1 -5 7 918 \
             91 -2282894718 810965014679503928 515 -6 219 0 232701 1 1 -5 7 88845",
        ),
        (
            0,
            "30 3880125633 3907295063275181368 638 0 578 -4 16 5 1 -5 7 97748 \
             80 3608990589 -2370389359454957492 86 -2 775 -14 102935 3 1 -5 7 2063 \
             51 191829487 4077734408236433382 282 2 595 3 341255 31 1 -5 7 81571",
        ),
        (
            u64::MAX,
            "88 2687391109 2960338327890768101 378 1 793 23 5 2 1 -5 7 12233 \
             25 1656497873 -2942393392800825079 180 1 418 -4 1 5 1 -5 7 98171 \
             40 4073654533 -1698541081307259987 58 -6 614 -13 8010 1 1 -1 7 74260",
        ),
    ];
    for (seed, wanted) in table {
        let values = debugged(DISTRIBUTIONS, seed, 3, &[]).unwrap();
        let values: Vec<&str> = values.iter().map(|value| value.strip_prefix("int ").unwrap()).collect();
        assert_eq!(values.join(" "), wanted, "--random-seed={seed}");
    }
}

#[test]
fn a_right_operand_may_be_evaluated_first() {
    assert_eq!(result("debug(1) > debug(2)", &[]), "int 2#int 1#boolean false");
    assert_eq!(result("debug(1) + debug(2)", &[]), "int 1#int 2#int 3");
    assert_eq!(result("random(1,1000) > random(1,1000)", &[]), "boolean false");
}

#[test]
fn expressions_have_the_results_of_pgbench() {
    let definitions = [("txt", "abc"), ("i", "12"), ("d", "1.5"), ("t", "on"), ("n", "NULL"), ("sp", " 5")];
    for line in RESULTS.lines() {
        let (expression, wanted) = line.split_once(" => ").unwrap();
        assert_eq!(result(expression, &definitions), wanted, "{expression}");
    }
}

#[test]
fn texts_of_variables_get_the_type_that_pgbench_gives_them() {
    for line in TEXTS.lines() {
        let (text, wanted) = line.trim_start_matches('[').split_once("] ").unwrap();
        assert_eq!(result(":v", &[("v", text)]), wanted, "[{text}]");
    }
}

#[test]
fn mistakes_are_told_in_the_words_of_pgbench() {
    let table = [
        ("\\foo\n", "x.sql:1: invalid command in command \"foo\"\n\\foo"),
        ("\\set x\n", "x.sql:1: syntax error in command \"set\"\n\\set x\n      ^ error found here"),
        ("\\set x 1 +\n", "x.sql:1: syntax error in command \"set\"\n\\set x 1 +\n          ^ error found here"),
        // Blanks at the end are a part of the line.
        (
            "\\set x 1 +  \r\n",
            "x.sql:1: syntax error in command \"set\"\n\\set x 1 +  \n            ^ error found here",
        ),
        ("\\set x 1 2 \t\n", "x.sql:1: syntax error in command \"set\"\n\\set x 1 2 \t\n         ^ error found here"),
        (
            "\\set x foo(1)\n",
            "x.sql:1: unexpected function name (foo) in command \"set\"\n\\set x foo(1)\n         ^ error found here",
        ),
        ("\\set x 1 2\n", "x.sql:1: syntax error in command \"set\"\n\\set x 1 2\n         ^ error found here"),
        (
            "\\sleep 1 foo\n",
            "x.sql:1: unrecognized time unit, must be us, ms or s (foo) in command \"sleep\"\n\\sleep 1 foo\n         ^ error found here",
        ),
        ("\\set\n", "x.sql:1: missing argument in command \"set\""),
        ("\\endif x\n", "x.sql:1: unexpected argument in command \"endif\"\n\\endif x"),
        ("\\sleep\n", "x.sql:1: missing argument in command \"sleep\"\n\\sleep"),
        (
            "\\sleep 1.5 ms\n",
            "x.sql:1: invalid sleep time, must be an integer (1.5) in command \"sleep\"\n\\sleep 1.5 ms\n       ^ error found here",
        ),
        ("\\if 1\nselect 1;\n", "condition error in script \"x.sql\" command 3: \\if without matching \\endif"),
        ("\\endif\n", "condition error in script \"x.sql\" command 1: \\endif without matching \\if"),
        ("\\if 1\n\\else\n\\elif 1\n\\endif\n", "condition error in script \"x.sql\" command 3: \\elif after \\else"),
        ("\\gset\n", "x.sql:1: \\gset must follow an SQL command"),
        ("\\set x 1\n\\gset\n", "x.sql:2: \\gset must follow an SQL command (\\set x 1)"),
        ("\\set x 1\n  \\aset   pre_  \nselect 1;", "x.sql:2: \\aset must follow an SQL command (\\set x 1)"),
        ("select 1 \\gset a\n\\gset b\n", "x.sql:2: \\gset must follow an SQL command"),
        (
            "\\sleep 1.5\n",
            "x.sql:1: unrecognized time unit, must be us, ms or s (.5) in command \"sleep\"\n\\sleep 1.5\n        ^ error found here",
        ),
        (
            "\\sleep +1.\n",
            "x.sql:1: unrecognized time unit, must be us, ms or s (.) in command \"sleep\"\n\\sleep +1.\n         ^ error found here",
        ),
        (
            "\\sleep x\n",
            "x.sql:1: invalid sleep time, must be an integer (x) in command \"sleep\"\n\\sleep x\n       ^ error found here",
        ),
        ("select 1 as a \\gset a b\n", "x.sql:1: too many arguments in command \"gset\"\n\\gset a b"),
        (
            "\\set x 1;\nselect :x;",
            "x.sql:1: unexpected character (;) in command \"set\"\n\\set x 1;\n        ^ error found here",
        ),
        ("\\", "empty command list for script \"x.sql\""),
        ("\\  foo\n", "x.sql:1: invalid command in command \"foo\"\n\\  foo"),
        ("", "empty command list for script \"x.sql\""),
        ("-- nothing\n \n", "empty command list for script \"x.sql\""),
    ];
    for (text, wanted) in table {
        let error = Script::parse("x.sql", text.as_bytes(), Dialect::Postgres, &mut Names::default()).unwrap_err();
        assert_eq!(error.as_pgbench(), wanted, "{text}");
    }
}

// Measured of pgbench 15.18, which prints the bytes of a script as they are, and counts them.
#[test]
fn a_byte_of_no_character_has_one_place() {
    for (text, wanted) in [
        (&b"\\set x caf\xe9(1)\n"[..], &b"x.sql:1: unexpected function name (caf\xe9) in command \"set\"\n\\set x caf\xe9(1)\n          ^ error found here"[..]),
        (b"\\set x :caf\xe9 + \xe9\xe9 + )\n", b"x.sql:1: unexpected function name (\xe9\xe9) in command \"set\"\n\\set x :caf\xe9 + \xe9\xe9 + )\n                ^ error found here"),
        ("\\set x 日 + )\n".as_bytes(), "x.sql:1: unexpected function name (日) in command \"set\"\n\\set x 日 + )\n         ^ error found here".as_bytes()),
    ] {
        let error = Script::parse("x.sql", text, Dialect::Postgres, &mut Names::default()).unwrap_err();
        assert_eq!(String::from_utf8_lossy(&bytes(&error.as_pgbench())), String::from_utf8_lossy(wanted));
    }
}

/// A backslash at the end of a line continues into an empty one too; one that stands alone is passed over, and a name may follow at a distance.
#[test]
fn backslashes_at_ends_of_lines_are_read_as_pgbench_reads_them() {
    let table: &[(&[u8], &[&str])] = &[
        (b"\\set a 1 +\\\n2\\\n\nselect :a;\n", &["select 3;"]),
        (b"\\set a 1 \\\n\nselect :a;\n", &["select 1;"]),
        (b"\\set a 1 +\\\r\n\\\r\n2\r\nselect :a;", &["select 3;"]),
        (b"\\if 1 \\\n = 1 \\\n\nselect 3;\n\\endif\n", &["select 3;"]),
        (b"select 1;\\\n", &["select 1;"]),
        (b"select 1\\\n;\n", &["select 1", ";"]),
        (b"\\\nselect 7;\n", &["select 7;"]),
        (b"\\ set a 1\nselect :a;\n", &["select 1;"]),
        (b"\\set \xe9 5\nselect :\xe9;\n", &["select 5;"]),
    ];
    for (text, wanted) in table {
        let mut names = Names::default();
        let script = Script::parse("x.sql", text, Dialect::Postgres, &mut names).unwrap();
        let mut machine = Machine::new(Variables::new(&names), Generator::new(0));
        let mut sent = Vec::new();
        loop {
            match machine.step(&script, &names).unwrap() {
                ScriptStep::Sql(at) => {
                    let mut out = Vec::new();
                    script.commands[at].sql().unwrap().write(&machine.variables, &mut out);
                    sent.push(String::from_utf8(out).unwrap());
                }
                ScriptStep::End => break,
                _ => {}
            }
        }
        assert_eq!(&sent, wanted, "{}", String::from_utf8_lossy(text));
    }
}

#[test]
fn a_name_does_not_begin_with_a_digit() {
    let mut names = Names::default();
    let script = Script::parse("x.sql", b"\\set 1a 1\n", Dialect::Postgres, &mut names).unwrap();
    let mut machine = Machine::new(Variables::new(&names), Generator::new(0));
    assert_eq!(machine.step(&script, &names).unwrap_err().to_string(), "set: invalid variable name: \"1a\"");
}

#[test]
fn conditions_choose_the_commands_that_pgbench_executes() {
    let text = "\\set a 5\n\\if :a > 3\nselect 1;\n\\if false\nselect 2;\n\\elif true\nselect 3;\n\\else\nselect 4;\n\\endif\n\
                \\elif 1/0\n\\else\nselect 5;\n\\endif\n\\if null\nselect 6;\n\\endif\n\\if 0.5\n\\sleep 3ms\n\\endif";
    let mut names = Names::default();
    let script = Script::parse("x.sql", text.as_bytes(), Dialect::Postgres, &mut names).unwrap();
    let mut machine = Machine::new(Variables::new(&names), Generator::new(0));
    let mut values = Vec::new();
    loop {
        match machine.step(&script, &names).unwrap() {
            ScriptStep::Sql(at) => values.push(script.commands[at].first_line.clone()),
            ScriptStep::Sleep(_, time) => values.push(format!("{time:?}")),
            ScriptStep::End => break,
            _ => {}
        }
    }
    assert_eq!(values, ["select 1;", "select 3;", "3ms"]);
}

#[test]
fn a_transaction_that_is_tried_again_has_the_same_values() {
    let mut names = Names::default();
    let script = Script::parse("x.sql", b"\\set a random(1, 1000000)\n", Dialect::Postgres, &mut names).unwrap();
    let slot = names.slot("a");
    let mut machine = Machine::new(Variables::new(&names), Generator::new(7));
    let value = |machine: &mut Machine| {
        machine.begin();
        while machine.step(&script, &names).unwrap() != ScriptStep::End {}
        machine.variables.value(slot, &names).unwrap()
    };
    value(&mut machine);
    let saved = machine.save();
    let first = value(&mut machine);
    assert_ne!(first, value(&mut machine));
    machine.restore(&saved);
    assert_eq!(first, value(&mut machine));
}

#[test]
fn results_are_stored_under_their_prefix() {
    let mut names = Names::default();
    let script = Script::parse(
        "x.sql",
        b"select 1 as a, null as b \\gset p_\nselect :p_a, :p_b;",
        Dialect::Postgres,
        &mut names,
    )
    .unwrap();
    let sql = script.commands[0].sql().unwrap();
    assert_eq!(&*sql.text, b"select 1 as a, null as b ");
    let store = sql.store.clone().unwrap();
    let mut machine = Machine::new(Variables::new(&names), Generator::new(7));
    machine.stored(&store, &names, [("a", Some(&b"1"[..])), ("b", None), ("unused", None)].into_iter()).unwrap();
    let mut out = Vec::new();
    script.commands[1].sql().unwrap().write(&machine.variables, &mut out);
    assert_eq!(out, b"select 1, ;");
    let error = machine.stored(&store, &names, [("?column?", None)].into_iter()).unwrap_err();
    assert_eq!(error.to_string(), "gset: invalid variable name: \"p_?column?\"");
}

const RESULTS: &str = r#"hash(0) => int -6037318374080380516
hash(-1, 0) => int 4219408603045787357
hash_murmur2(9223372036854775807, -9223372036854775808) => int -8969732497821252539
hash_fnv1a(9223372036854775807, -1) => int 9116682525541297170
hash_fnv1a(42) => int 4091181768518081579
:default_seed => int 7590783070443337668
permute(0, 1) => int 0
permute(0, 2) => int 1
permute(1, 2) => int 0
permute(0, 10) => int 2
permute(9, 10) => int 8
permute(19, 10) => int 8
permute(-1, 10, 5) => int 1
permute(123456, 1000000, 7) => int 566145
permute(123456, 1048576, 7) => int 326468
permute(5, 9223372036854775807, -3) => int 4598949357656765691
permute(9223372036854775796, 9223372036854775797, 5432) => int 520382784483822430
permute(9223372036854775795, 9223372036854775797, 5432) => int 1143715004660802862
pow(2, 10) => double 1024
pow(2, 63) => double 9.22337203685478e+18
pow(2, -1) => double 0.5
pow(-3, 39) => double -4.05255515301898e+18
power(2.5, 2) => double 6.25
1 / 2 => int 0
-7 / 2 => int -3
-7 % 3 => int -1
-7.5 % 2 => int 0
7.5 / 0 => double Infinity
1 << 3 + 1 => int 16
1 | 2 = 3 => boolean true
5 # 3 & 1 => int 0
not 1 = 2 => boolean true
- 2 + 3 => int 1
~ 5 => int -6
null => null
null + 1 => null
null = null => null
null and false => null
null or true => null
not null => null
null is null => boolean true
1 is not true => boolean true
true isnull => boolean false
case when null then 1 when 2 > 1 then 5 else 6 end => int 5
case when false then 1 end => null
int(2.5) => int 2
int(3.5) => int 4
int(-2.5) => int -2
double(3) => double 3
sqrt(2) => double 1.4142135623731
ln(2) => double 0.693147180559945
exp(1) => double 2.71828182845905
pi() => double 3.14159265358979
abs(-3) => int 3
abs(-3.5) => double 3.5
least(3, 1, 2) => int 1
least(3, 1.5, 2) => double 1.5
greatest(3, 1, 2) => int 3
greatest(3) => int 3
mod(7, 3) => int 1
mod(7.5, 3) => int 2
1e100 => double 1e+100
1e15 => double 1e+15
123456789012345678.0 => double 1.23456789012346e+17
0.1 + 0.2 => double 0.3
1e-5 => double 1e-05
.5 => double 0.5
5. => double 5
9223372036854775807 => int 9223372036854775807
-9223372036854775808 => int -9223372036854775808
sqrt(-1) => double NaN
1.0 = 1 => boolean true
true = 1 => cannot coerce boolean to int
1 << 64 => int 1
-9 / 2.0 => double -4.5
not 5 => cannot coerce int to boolean
true = 1.0 => cannot coerce boolean to double
1 = 1 => boolean true
TRUE != FALSE => cannot coerce boolean to int
1 <> 2 => boolean true
3 >= 2 and 2 <= 3 => boolean true
10 - 2 - 3 => int 5
2 * 3 % 4 => int 2
1 + null is null => boolean true
not true or true => boolean true
7 >> 1 => int 3
-7 >> 1 => int -4
1.0 / 3 => double 0.333333333333333
0 or 2 => cannot coerce int to boolean
int(1e15) => int 1000000000000000
double(true is null) => cannot coerce boolean to double
mod(-7, -1) => int 0
-9223372036854775808 % -1 => int 0
ln(0) => double -Infinity
exp(1000) => double Infinity
-(1.0/0) => double -Infinity
0.0/0 => double NaN
12345678.9 => double 12345678.9
100000.0 * 1000000000 => double 100000000000000
1000000.0 * 1000000000 => double 1e+15
9223372036854775807 + 1 => bigint add out of range
-9223372036854775808 - 1 => bigint sub out of range
-9223372036854775808 / -1 => bigint div out of range
9223372036854775807 * 2 => bigint mul out of range
int(1e19) => double to int overflow for 10000000000000000000.000000
true + 1 => cannot coerce boolean to int
1 and null => cannot coerce int to boolean
false and null => boolean false
true and null => null
true and 5 => cannot coerce int to boolean
int(true) => cannot coerce boolean to int
:txt => malformed variable "txt" value: "abc"
:i => int 12
:i + 1 => int 13
:d => double 1.5
:t => boolean true
:n => null
:sp => int 5
txt => x.sql:1: unexpected function name (txt) in command "set"
random(1, 2.5) => int 2
random(true,2) => cannot coerce boolean to int
permute(1,0) => permute size parameter must be greater than zero
hash(1.5) => int -2680999601074778002
hash() => x.sql:1: unexpected number of arguments (hash) in command "set"
least() => x.sql:1: at least one argument expected (least) in command "set"
random_gaussian(1,2) => x.sql:1: unexpected number of arguments (random_gaussian) in command "set"
sqrt(null) => null
sqrt(true) => cannot coerce boolean to double
case 1 when 1 then 2 end => x.sql:1: syntax error in command "set"
1 is not null => boolean true
-(-9223372036854775808) => bigint sub out of range
abs(-9223372036854775808) => int -9223372036854775808
- 9223372036854775808 => int -9223372036854775808
9223372036854775808 => x.sql:1: syntax error in command "set"
1 = 2 = 3 => x.sql:1: syntax error in command "set"
1 < 2 < 3 => x.sql:1: syntax error in command "set"
random(1,3,4) => x.sql:1: unexpected number of arguments (random) in command "set"
pi(1) => x.sql:1: unexpected number of arguments (pi) in command "set"
(1 => x.sql:1: syntax error in command "set"
1) => x.sql:1: syntax error in command "set"
1 ! 2 => x.sql:1: unexpected character (!) in command "set"
1 << -1 => int -9223372036854775808
hash_fnv1a(1,2,3) => x.sql:1: unexpected number of arguments (hash_fnv1a) in command "set"
permute(1) => x.sql:1: unexpected number of arguments (permute) in command "set"
greatest(1,null) => null
greatest(true,1) => cannot coerce boolean to int
exp(true) => cannot coerce boolean to double
pow(true,1) => cannot coerce boolean to double
debug(1,2) => x.sql:1: unexpected number of arguments (debug) in command "set"
random_exponential(1,10,5) => int 4
least(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16) => int 1
least(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17) => too many function arguments, maximum is 16
RANDOM(1,1) => int 1
Case When TRUE Then 1 End => int 1
case when true then null end is null => boolean true
~1.5 => int -3
1.5 & 1 => int 0
1.5 << 1 => int 4
-true => cannot coerce boolean to int
:_9 => undefined variable "_9"
:9 => undefined variable "9"
null is true => boolean false
true is 1 => x.sql:1: syntax error in command "set"
1. => double 1
1..2 => x.sql:1: syntax error in command "set"
1e400 => x.sql:1: double constant overflow (1e400) in command "set"
1e-400 => x.sql:1: double constant overflow (1e-400) in command "set"
1e-310 => x.sql:1: double constant overflow (1e-310) in command "set"
0e-400 => double 0
1e => x.sql:1: syntax error in command "set"
truex => x.sql:1: unexpected function name (truex) in command "set"
random (1,1) => int 1
random(null, 2) => null
permute(null,1) => null
case when 1 then 2 else end => x.sql:1: syntax error in command "set"
true = null => null
true = true => cannot coerce boolean to int
:txt = 1 => malformed variable "txt" value: "abc"
1 isnull => boolean false
1 notnull => boolean true
not 1 is null => boolean true
not not true => boolean true
- - 1 => int 1
~ - 1 => int 0
1 + + 2 => int 3
+1 => int 1
least(1, true) => cannot coerce boolean to int
int(:t) => cannot coerce boolean to int
random(1,10)+ => x.sql:1: syntax error in command "set"
-:i => int -12
double(:d) => double 1.5
:t and true => boolean true
:txt and true => malformed variable "txt" value: "abc"
pi => x.sql:1: syntax error in command "set"
1 -- 2 => int 3
0x10 => x.sql:1: syntax error in command "set"
010 => int 10
pow(0,0) => double 1
pow(null,1) => null
int(-0.5) => int 0
int(0.0/0) => double to int overflow for NaN
-0.0 => double 0
-9223372036854775807-1 => int -9223372036854775808
9223372036854775807.0 => double 9.22337203685478e+18
case when true then 1 when false then 2 else 3 end => int 1
exp(1)+ln(2) => double 3.41142900901899
hash(1,2) => int -3827666828038376880
hash(:i,:d) => int 4403624778242618526
random_zipfian(1,10,1001) => zipfian parameter must be in range [1.001, 1000] (not 1001.000000)
random_zipfian(1,10,1.0) => zipfian parameter must be in range [1.001, 1000] (not 1.000000)
random_zipfian(5,3,1.5) => empty range given to random
random_gaussian(5,3,2.5) => empty range given to random
random_gaussian(1,3,1.5) => gaussian parameter must be at least 2.000000 (not 1.500000)
random_exponential(5,3,2) => empty range given to random
random_exponential(1,3,0.0) => exponential parameter must be greater than zero (not 0.000000)
random_gaussian(-9223372036854775807,9223372036854775807,3) => random range is too large
random(-9223372036854775808, 9223372036854775807) => random range is too large
random(-4611686018427387904, 4611686018427387903) => random range is too large
permute(1,-4) => permute size parameter must be greater than zero
permute(9223372036854775806,9223372036854775797,5432) => int 5148108868189356874
mod(1,0) => division by zero
mod(1) => x.sql:1: unexpected number of arguments (mod) in command "set"
1 % 0 => division by zero
1 / 0 => division by zero
~ 1 + 2 => int -4
~ 1 * 2 => int -3
~ 1 | 8 => int -2
-1 is null => boolean false
null is null is true => boolean true
1 + 1 is null => boolean false
-2 * 3 => int -6
2 - -2 => int 4
1 | 2 + 4 => int 7
4 # 1 | 2 & 3 => int 3
not null is null => boolean false
debug(true) or debug(false) => boolean true#boolean true
case when debug(1) = 1 then debug(2) else debug(3) end => int 1#int 2#int 2
1 = 1 and not 2 = 3 or false => boolean true
true is not null and 1 isnull => boolean false
2 < 3 is true => boolean true
- - - 3 => int -3
1 in 2 => x.sql:1: syntax error in command "set"
not(1) => cannot coerce int to boolean
1 - ~ 1 => int 3
- ~ 1 => int 2
3 * ~ 1 => int -6
3 * not true => cannot coerce boolean to int
-~1 + 2 => int 4
2 + ~ 1 + 3 => int -3"#;

const TEXTS: &str = r#"[tru] boolean true
[TRUE] boolean true
[y] boolean true
[yes] boolean true
[n] boolean false
[no] boolean false
[of] boolean false
[off] boolean false
[o] malformed variable "v" value: "o"
[f] boolean false
[fal] boolean false
[on] boolean true
[ 1 ] malformed variable "v" value: " 1 "
[1 2] malformed variable "v" value: "1 2"
[1.5e3] double 1500
[ 1.5] double 1.5
[1.5 ] malformed variable "v" value: "1.5 "
[nan] double NaN
[inf] double Infinity
[0x10] double 16
[9223372036854775807] int 9223372036854775807
[9223372036854775808] value "9223372036854775808" is out of range for type bigint
[-9223372036854775808] int -9223372036854775808
[+5] int 5
[-] invalid input syntax for type bigint: "-"
[1e5] double 100000
[null ] malformed variable "v" value: "null "
[null] null
[1.] double 1
[.5] double 0.5
[- 5] malformed variable "v" value: "- 5"
[1e400] malformed variable "v" value: "1e400"
[infinity] double Infinity
[1_0] malformed variable "v" value: "1_0""#;
