//! Where clients of a script run: beside one another on one thread, in bursts, and in loops of their own.

use crate::{ScriptDir, connector, given};
use std::cell::Cell;
use std::rc::Rc;
use tenbin_driver::Transport;
use tenbin_script::Script;
use tenbin_workload::TransactionContext;
use tokio::runtime::LocalRuntime;
use tokio::sync::Barrier;

#[test]
fn clients_that_share_a_thread_wait_side_by_side() {
    let dir = ScriptDir::new();
    // After each wait the C functions are those of the client that waited, and its locals are where they were.
    let text = r#"
        function thread_init() con = sysbench.sql.driver():connect() end
        function event(id)
            for i = 1, 3 do
                con:query("SELECT " .. i)
                assert(id == sysbench.tid)
                ffi.C.sb_counter_inc(id, ffi.C.SB_CNT_WRITE)
                assert(tonumber(ffi.C.sb_counter_val(id, ffi.C.SB_CNT_WRITE)) == i)
            end
            local ok, words = pcall(function() con:query("SELECT 4") error("after a wait", 0) end)
            assert(not ok and words == "after a wait")
            if id == 5 then error("the fifth") end
        end
    "#;
    let script = Script::open(&dir.script(text), Some("run"), &given(&[]), connector("null:?delay_us=20000")).unwrap();
    let workload = script.workload().unwrap();
    // How many had begun when the first one ended: all of them, if they do not wait for one another.
    let (together, begun, at_first_end) = (Rc::new(Barrier::new(32)), Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
    LocalRuntime::new().unwrap().block_on(async {
        let mut all = tokio::task::JoinSet::new();
        for number in 0..32 {
            let mut client = workload.client(number, 32, 7);
            let (together, begun, at_first_end) = (together.clone(), begun.clone(), at_first_end.clone());
            all.spawn_local(async move {
                client.connect(Transport::Shared).await.unwrap();
                together.wait().await;
                begun.set(begun.get() + 1);
                let mut context = TransactionContext::default();
                let outcome = client.transaction(&mut context).await;
                if at_first_end.get() == 0 {
                    at_first_end.set(begun.get());
                }
                assert_eq!(context.records.len(), 7);
                client.close().await.unwrap();
                (number, outcome.map_err(|e| e.message().to_owned()))
            });
        }
        while let Some(done) = all.join_next().await {
            let (number, outcome) = done.unwrap();
            let printed = outcome.map_or_else(|words| words, |_| "well".to_owned());
            assert!(
                if number == 5 { printed.contains("test.lua:12: the fifth") } else { printed == "well" },
                "{number} {printed}"
            );
        }
    });
    assert_eq!(at_first_end.get(), 32, "one after the other, one would have begun");
}

#[test]
fn a_wait_that_is_given_up_ends_the_event_and_leaves_a_client_that_can_say_goodbye() {
    let dir = ScriptDir::new();
    let text = r#"
        function thread_init() con = sysbench.sql.driver():connect() end
        function event()
            local ok, words = pcall(con.query, con, "SELECT 1")
            say(ok, words:match("[^:]*$"))
            say(pcall(con.query, con, "SELECT 2") == false)
        end
        function thread_done() say("goodbye") end
    "#;
    let path = dir.script(&(dir.say() + text));
    let script = Script::open(&path, Some("run"), &given(&[]), connector("null:?delay_us=60000000")).unwrap();
    let workload = script.workload().unwrap();
    LocalRuntime::new().unwrap().block_on(async {
        let (mut client, mut context) = (workload.client(0, 1, 7), TransactionContext::default());
        client.connect(Transport::Shared).await.unwrap();
        let waiting = client.transaction(&mut context);
        assert!(tokio::time::timeout(std::time::Duration::from_millis(50), waiting).await.is_err());
        client.close().await.unwrap();
    });
    assert_eq!(dir.said(), "false  stopped\ntrue\ngoodbye\n");
}

#[test]
fn a_script_that_may_stand_still_by_other_means_keeps_a_thread_for_each_client() {
    let dir = ScriptDir::new();
    std::fs::write(dir.0.path().join("calm.lua"), "function helper() return 1 end").unwrap();
    std::fs::write(dir.0.path().join("busy.lua"), "function helper() os.execute('sleep 1') end").unwrap();
    let event = "function event() end\n";
    for (text, blocks) in [
        (event.to_owned(), false),
        (format!("require('calm')\n{event}"), false),
        (format!("require('busy')\n{event}"), true),
        (format!("dofile({:?} .. '/busy.lua')\n{event}", dir.0.path()), true),
        (format!("dofile({:?} .. '/calm.lua')\n{event}", dir.0.path()), false),
        ("function event() ffi.C.usleep(1) end".to_owned(), true),
        ("function event() for line in io.popen('ls'):lines() do end end".to_owned(), true),
        ("function event() difficult = traffic end".to_owned(), false),
    ] {
        let script = Script::open(&dir.script(&text), Some("run"), &given(&[]), connector("null:")).unwrap();
        assert_eq!(script.workload().unwrap().reach().blocks, blocks, "{text}");
    }
}

#[test]
fn where_nothing_is_sent_events_follow_one_another_in_a_burst_that_ends_with_the_one_that_fails() {
    let dir = ScriptDir::new();
    let text = r#"
        local n = 0
        function thread_init() con = sysbench.sql.driver():connect() end
        function event()
            n = n + 1
            con:query("SELECT 1")
            if n == 11 then con:query("UPDATE 1") error("the eleventh") end
            if n == 12 then error("the twelfth") end
            return n == 20
        end
    "#;
    let script = Script::open(&dir.script(text), Some("run"), &given(&[]), connector("null:")).unwrap();
    let workload = script.workload().unwrap();
    assert!(workload.burst() > 20);
    LocalRuntime::new().unwrap().block_on(async {
        let (mut client, mut context) = (workload.client(0, 1, 7), TransactionContext::default());
        client.connect(Transport::Shared).await.unwrap();
        let mut printed: Vec<(usize, usize, String)> = Vec::new();
        let mut leaves = [5].into_iter().chain(std::iter::repeat(50));
        while printed.last().is_none_or(|(.., outcome)| outcome != "quit true") {
            (context.leave, context.quit) = (leaves.next().unwrap(), false);
            let outcome = client.transaction(&mut context).await.map_err(|e| e.message().to_owned());
            let outcome = outcome.map_or_else(|e| e, |_| format!("quit {}", context.quit));
            let outcome = outcome.split(".lua:").last().unwrap().to_owned();
            // A burst of a single event is none.
            let alone = usize::from(outcome == "quit false" && context.burst.is_empty());
            let (events, statements) = (context.burst.len() + alone, context.records.len());
            assert!(events <= context.leave as usize, "{events}");
            context.burst.clear();
            context.records.clear();
            match printed.last_mut() {
                // A burst also ends after some time, on a busy machine after any event: those that succeed are added up.
                Some(before) if before.2 == outcome && outcome == "quit false" => {
                    before.0 += events;
                    before.1 += statements;
                }
                _ => printed.push((events, statements, outcome)),
            }
        }
        client.close().await.unwrap();
        let lines: Vec<String> =
            printed.iter().map(|(e, s, outcome)| format!("{e} events, {s} statements, {outcome}")).collect();
        insta::assert_snapshot!(lines.join("\n"), @"
        10 events, 10 statements, quit false
        0 events, 2 statements, 7: the eleventh [after: UPDATE ?]
        0 events, 1 statements, 8: the twelfth [after: SELECT ?]
        7 events, 7 statements, quit false
        0 events, 1 statements, quit true
        ");
    });
}

#[test]
fn a_thread_run_of_the_scripts_own_keeps_the_loop_and_the_engine_the_time() {
    let dir = ScriptDir::new();
    let text = r#"
        function thread_init() con = sysbench.sql.driver():connect() end
        function event() error("not called") end
        function thread_run(id)
            say("run", id)
            local n = 0
            while ffi.C.sb_more_events(id) do
                ffi.C.sb_event_start(id)
                for i = 0, n do con:query("SELECT " .. i) end
                n = n + 1
                ffi.C.sb_event_stop(id)
                if n == 5 then say("enough") return end
                if n == limit then error("too many") end
            end
            say("no more events", n)
        end
        function thread_done() say("goodbye") end
    "#;
    for (transport, dsn) in [
        (Transport::Alone, "null:"),
        (Transport::Shared, "null:"),
        (Transport::Alone, "null:?delay_us=0"),
        (Transport::Shared, "null:?delay_us=100"),
    ] {
        let text_of = |limit: &str, events: usize| {
            let text = format!("limit = {limit}\n{}{text}", dir.say());
            let script = Script::open(&dir.script(&text), Some("run"), &given(&[]), connector(dsn)).unwrap();
            let workload = script.workload().unwrap();
            let before = dir.said().len();
            let mut all = Vec::new();
            LocalRuntime::new().unwrap().block_on(async {
                let (mut client, mut context) = (workload.client(0, 1, 7), TransactionContext::default());
                client.connect(transport).await.unwrap();
                for _ in 0..events {
                    context.leave = workload.burst();
                    let outcome = client.transaction(&mut context).await.map_err(|e| e.message().to_owned());
                    all.push(match outcome {
                        Ok(_) if context.quit => format!("quit {}", context.records.len()),
                        Ok(_) => context.records.len().to_string(),
                        Err(words) => words.split(".lua:").last().unwrap().to_owned(),
                    });
                    context.records.clear();
                }
                client.close().await.unwrap();
            });
            format!("{} | {}", all.join(", "), dir.said()[before..].trim().replace('\n', ", "))
        };
        assert_eq!(text_of("0", 3), "1, 2, 3 | run 0, no more events 3, goodbye", "{dsn}");
        assert_eq!(text_of("0", 6), "1, 2, 3, 4, 5, quit 0 | run 0, enough, goodbye", "{dsn}");
        assert_eq!(text_of("2", 3), "1, 2, 15: too many | run 0, goodbye", "{dsn}");
        assert_eq!(text_of("0", 0), " | goodbye", "{dsn}");
    }
}
