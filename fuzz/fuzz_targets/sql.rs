//! A script of SQL, whatever its bytes, is cut into commands or refused with a place; executing it ends, and what is substituted has all text outside of
//! variables.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tenbin_sql::language::{Dialect, Generator, Machine, Names, Script, ScriptStep, Value, Variables};

fuzz_target!(|input: &[u8]| {
    for dialect in [Dialect::Postgres, Dialect::Mysql, Dialect::Sqlite] {
        let mut names = Names::default();
        let script = match Script::parse("x.sql", input, dialect, &mut names) {
            Ok(script) => script,
            Err(error) => {
                assert!(!error.as_pgbench().is_empty());
                continue;
            }
        };
        let mut variables = Variables::new(&names);
        if let Some(slot) = names.find("default_seed") {
            variables.set(slot, Value::Int(1));
        }
        let mut machine = Machine::new(variables, Generator::new(1));
        let mut text = Vec::new();
        for _ in 0..=script.commands.len() {
            match machine.step(&script, &names) {
                Ok(ScriptStep::End) | Err(_) => break,
                Ok(ScriptStep::Sql(at)) => {
                    let sql = script.commands[at].sql().expect("a statement");
                    text.clear();
                    sql.write(&machine.variables, &mut text);
                    let _ = (sql.numbered(), sql.first_line());
                }
                Ok(_) => {}
            }
        }
    }
});
