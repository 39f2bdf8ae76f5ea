//! Where a mistake in an expression is marked: what pgbench 15.18 marks of the same lines.

use tenbin_sql::language::*;

/// Expressions that are none: the place of the mark of pgbench 15.18, in bytes from the beginning of the command, and its words.
const MISTAKES: &str = r#"
1 + => 10 syntax error
(1 + 2 => 13 syntax error
1 + 2) => 12 syntax error
1 2 => 9 syntax error
@ => 7 unexpected character (@)
1 @ 2 => 9 unexpected character (@)
foo(1) => 9 unexpected function name (foo)
abs() => 11 unexpected number of arguments (abs)
abs(1,2) => 14 unexpected number of arguments (abs)
abs(1 => 12 syntax error
least() => 13 at least one argument expected (least)
random(1) => 15 unexpected number of arguments (random)
case when 1 then 2 => 25 syntax error
case 1 end => 12 syntax error
case when 1 end => 21 syntax error
case end => 14 syntax error
1 is 2 => 12 syntax error
1 is not => 15 syntax error
not => 10 syntax error
1 < 2 < 3 => 13 syntax error
:y :z => 11 syntax error
99999999999999999999 => 26 bigint constant overflow (99999999999999999999)
1e999 => 11 double constant overflow (1e999)
- 9223372036854775809 => 27 bigint constant overflow (9223372036854775809)
9223372036854775808 => 25 syntax error
1 + + * 2 => 13 syntax error
, => 7 syntax error
abs(,) => 12 syntax error
abs(1,) => 13 syntax error
: => 7 unexpected character (:)
:1a + : => 13 unexpected character (:)
'a' => 9 unexpected character (')
"a" => 9 unexpected character (")
1 and => 12 syntax error
1 or or 2 => 13 syntax error
true false => 16 syntax error
1 isnull isnull 2 => 23 syntax error
1..2 => 10 syntax error
1.5.2 => 11 syntax error
0x10 => 10 syntax error
1a => 8 syntax error
5 % % 3 => 11 syntax error
hash => 11 syntax error
hash( => 12 syntax error
pi(1) => 11 unexpected number of arguments (pi)
() => 8 syntax error
( => 8 syntax error
) => 7 syntax error
when => 10 syntax error
1 when => 12 syntax error
debug(1,2) => 16 unexpected number of arguments (debug)
ln(1 2) => 12 syntax error
permute(1) => 16 unexpected number of arguments (permute)
1 not => 11 syntax error
greatest(1,2 3) => 20 syntax error
~ => 8 syntax error
é => 8 unexpected function name (é)
1 + é + 2 => 12 unexpected function name (é)
case when 1 then 2 else end => 33 syntax error
case when 1 else 2 end => 22 syntax error
1 = = 2 => 11 syntax error
a => 7 unexpected function name (a)
a + b => 7 unexpected function name (a)
- => 8 syntax error
(1,2) => 9 syntax error
'abc' => 11 unexpected character (')
'a => 7 unexpected character (')
' => 7 unexpected character (')
@a => 7 unexpected character (@)
@@ => 8 unexpected character (@)
; => 7 unexpected character (;)
1; => 8 unexpected character (;)
1 ; 2 => 9 unexpected character (;)
{} => 8 unexpected character (})
1 + 'a' => 13 unexpected character (')
1'a' => 10 unexpected character (')
?abc => 7 unexpected character (?)
@ a => 7 unexpected character (@)
'1' => 9 unexpected character (')
'1 => 7 unexpected character (')
@1 => 7 unexpected character (@)
'1'1 => 9 unexpected character (')
';1 1 => 8 unexpected character (;)
'' => 8 unexpected character (')
[1] => 9 unexpected character (])
!1 => 7 unexpected character (!)
1 ! 2 => 9 unexpected character (!)
$1 => 7 unexpected character ($)
a.b => 8 unexpected character (.)
`a` => 9 unexpected character (`)
^ => 7 unexpected character (^)
2^3 => 8 unexpected character (^)
2 ^ 3 ^ 4 => 13 unexpected character (^)
é@ => 9 unexpected character (@)
'é' => 10 unexpected character (')
"éa => 7 unexpected character (")
:é + ' => 13 unexpected character (')
1 \ 2 => 9 unexpected character (\)
1 \2 => 9 unexpected character (\)
1 + \a => 11 unexpected character (\)
1 2 @ => 11 unexpected character (@)
foo(1) @ => 14 unexpected character (@)
abs() @ => 13 unexpected character (@)
99999999999999999999 @ => 28 unexpected character (@)
99999999999999999999 88888888888888888888 => 47 bigint constant overflow (88888888888888888888)
@ 99999999999999999999 => 28 bigint constant overflow (99999999999999999999)
foo(1) bar(2) => 9 unexpected function name (foo)
foo(1) 2 => 9 unexpected function name (foo)
1 2 foo => 9 syntax error
1 2 3 4 => 9 syntax error
( ( ( => 12 syntax error
1 1e999 => 13 double constant overflow (1e999)
1 2 1e999 => 15 double constant overflow (1e999)
a b c => 7 unexpected function name (a)
@ b => 7 unexpected character (@)
1 @ b => 9 unexpected character (@)
1 @ 2 2 2 => 9 unexpected character (@)
1 + @ 2 @ 3 4 => 15 unexpected character (@)
case @ when => 12 unexpected character (@)
abs() abs() => 11 unexpected number of arguments (abs)
abs() foo() => 11 unexpected number of arguments (abs)
foo() abs() => 9 unexpected function name (foo)
1 2 abs() => 9 syntax error
"#;

#[test]
fn the_place_of_a_mistake_is_the_one_that_pgbench_marks() {
    for line in MISTAKES.trim().lines() {
        let (expression, wanted) = line.split_once(" => ").unwrap();
        let text = format!("\\set x {expression}\n");
        let error = Script::parse("x.sql", text.as_bytes(), Dialect::Postgres, &mut Names::default()).unwrap_err();
        let printed = error.as_pgbench();
        let sentence = printed.strip_prefix("x.sql:1: ").unwrap().split(" in command").next().unwrap();
        assert_eq!(format!("{} {sentence}", error.column.unwrap()), wanted, "{expression}");
    }
}
