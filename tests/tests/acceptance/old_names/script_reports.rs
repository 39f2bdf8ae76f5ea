//! What a script gets to make a report of its own, and what it finds on the objects that it is given, beside the real sysbench.

use std::collections::BTreeSet;
use tenbin_tests::mariadb;
use tenbin_tests::sysbench::{SysbenchDir, address};

/// Prints what it gets: the names of the fields, and how many events are under way as far as that is counted.
const REPORTS: &str = r#"
local ffi = require("ffi")
ffi.cdef("int usleep(unsigned int);")
function event() ffi.C.usleep(20000) end
local function show(report, stat)
   local names = {}
   for name in pairs(stat) do names[#names + 1] = name end
   table.sort(names)
   print(report .. " has " .. table.concat(names, " "))
end
function sysbench.hooks.report_intermediate(stat)
   show("intermediate", stat)
   print("intermediate is " .. (stat.concurrency > 0 and sysbench.opt.rate == 0 and "busy" or "as it is"))
end
function sysbench.hooks.report_cumulative(stat) show("cumulative", stat) end
"#;

#[test]
fn the_reports_of_a_script_have_the_fields_of_the_real_ones() {
    let here = SysbenchDir::create();
    std::fs::write(here.dir.path().join("reports.lua"), REPORTS).expect("a test's directory");
    for rate in ["0", "50"] {
        let line = format!("reports.lua --events=0 --time=2 --report-interval=1 --rate={rate} run");
        let ((code, ours, err), (_, theirs, _)) = (here.ours(&line), here.theirs(&line));
        assert_eq!(code, 0, "{ours}{err}");
        let lines = |out: &str| -> BTreeSet<String> {
            let of_reports = |line: &&str| line.starts_with("intermediate ") || line.starts_with("cumulative ");
            out.lines().filter(of_reports).map(str::to_owned).collect()
        };
        assert_eq!(lines(&ours).len(), 3, "{ours}");
        assert_eq!(lines(&ours), lines(&theirs), "--rate={rate}");
    }
}

/// What a script can ask of what the driver gives it.
const OBJECTS: &str = r####"
local ffi = require("ffi")
local function show(name, f)
   local results = { pcall(f) }
   for i = 1, #results do results[i] = tostring(results[i]) end
   print("got " .. name .. ": " .. table.concat(results, " "))
end
function event()
   local drv = sysbench.sql.driver()
   local con = drv:connect()
   show("names", function() return drv:name(), tostring(drv), tostring(con) end)
   show("no error", function() return con.error == sysbench.sql.error.NONE, tonumber(con.sql_errno) end)
   local rs = con:query("SELECT 1, 'x' UNION ALL SELECT 2, NULL")
   show("result", function() return tostring(rs), tonumber(rs.nrows), tonumber(rs.nfields), tonumber(rs.counter) end)
   show("row", function() local row = rs:fetch_row() return type(row[1]), row[1], row[2] end)
   show("null", function() return rs:fetch_row()[2] end)
   show("end", function() return rs:fetch_row() end)
   show("query_row", function() return con:query_row("SELECT 3, 4") end)
   show("no row", function() return con:query_row("SELECT 3 FROM DUAL WHERE 1 = 0") end)
   local st = con:prepare("SELECT ?, ?")
   local number, text = st:bind_create(sysbench.sql.type.INT), st:bind_create(sysbench.sql.type.CHAR, 10)
   show("bound", function() return tostring(st), tostring(number), st:bind_param(number, text) end)
   show("set", function() return number:set(5), text:set("x"), text:set_rand_str("###") end)
   show("executed", function() return tostring(st:execute()) end)
   show("closed", function() return tonumber(st:close()) end)
   show("counters", function()
      return tonumber(ffi.C.SB_CNT_OTHER), tonumber(ffi.C.SB_CNT_READ), tonumber(ffi.C.SB_CNT_WRITE),
         tonumber(ffi.C.SB_CNT_ERROR), tonumber(ffi.C.SB_CNT_RECONNECT)
   end)
   show("refused", function() local rs = con:query("SELECT nothing FROM nowhere") return rs end)
   show("of it", function()
      return con.error == sysbench.sql.error.FATAL, tonumber(con.sql_errno), ffi.string(con.sql_state), ffi.string(con.sql_errmsg)
   end)
   show("bulk", function()
      con:bulk_insert_init("INSERT INTO bulk VALUES")
      return (con:bulk_insert_next("(1)")), (con:bulk_insert_next("(2)")), (con:bulk_insert_done())
   end)
   show("rows", function() return con:query_row("SELECT COUNT(*) FROM bulk") end)
   show("ended", function() return con:disconnect() end)
end
"####;

#[test]
fn what_a_driver_gives_has_the_members_of_the_real_one() {
    let (server, here) = (mariadb(&[]), SysbenchDir::create());
    std::fs::write(here.dir.path().join("objects.lua"), OBJECTS).expect("a test's directory");
    let lines = |run: &dyn Fn(&str) -> (i32, String, String)| {
        tenbin_tests::sql::query(&server, "CREATE OR REPLACE TABLE bulk (a INT)");
        let (code, out, err) = run(&format!("objects.lua {} --events=1 run", address(&server)));
        assert_eq!(code, 0, "{out}{err}");
        out.lines().filter(|line| line.starts_with("got ")).map(str::to_owned).collect::<Vec<_>>()
    };
    let (ours, theirs) = (lines(&|line| here.ours(line)), lines(&|line| here.theirs(line)));
    assert_eq!(ours.len(), 18, "{ours:#?}");
    assert_eq!(ours, theirs);
}
