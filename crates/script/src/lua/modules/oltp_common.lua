-- What the oltp_* tests have in common, for scripts that begin with require("oltp_common"). The names are the interface
-- that such scripts call: tables sbtest1, sbtest2, …; stmt[table][key] and param[table][key]; prepare_KEY() and
-- execute_KEY(). Numbers are drawn in the order in which the native tests draw them.

local kinds = sysbench.sql.type
-- This many groups of eleven digits, with dashes between.
local function groups(n) return string.rep("###########-", n - 1) .. "###########" end
local c_form, pad_form = groups(10), groups(5)
local int, c_text, pad_text = { kinds.INT }, { kinds.CHAR, 120 }, { kinds.CHAR, 60 }

if sysbench.cmdline.command == nil then
   error("no command was given: prepare, prewarm, run, cleanup or help")
end

function init()
   assert(event ~= nil, "oltp_common is a part of other scripts: name one of those, or write an event() of your own")
end

sysbench.cmdline.options = {
   tables = { "number of tables", 1 },
   table_size = { "number of rows per table", 10000 },
   range_size = { "number of rows in a range", 100 },
   point_selects = { "number of SELECTs of one row per event", 10 },
   simple_ranges = { "number of plain SELECTs over ranges per event", 1 },
   sum_ranges = { "number of sums over ranges per event", 1 },
   order_ranges = { "number of sorted SELECTs over ranges per event", 1 },
   distinct_ranges = { "number of SELECT DISTINCTs over ranges per event", 1 },
   range_selects = { "off: no SELECTs over ranges", true },
   index_updates = { "number of UPDATEs of the indexed column per event", 1 },
   non_index_updates = { "number of UPDATEs of an unindexed column per event", 1 },
   delete_inserts = { "number of pairs of DELETE and INSERT per event", 1 },
   auto_inc = { "the server generates the ids; off: the client does", true },
   skip_trx = { "no BEGIN and COMMIT", false },
   secondary = { "a secondary index on id instead of the primary key", false },
   create_secondary = { "create an index on k, after the rows", true },
   reconnect = { "reconnect after this many events; 0: never", 0 },
   create_table_options = { "appended to CREATE TABLE", "" },
   mysql_storage_engine = { "the tables' storage engine on MySQL", "innodb" },
   pgsql_variant = { "the variant of PostgreSQL: redshift" },
}

-- Tables --------------------------------------------------------------------------------------------------------------

function get_c_value() return sysbench.rand.string(c_form) end
function get_pad_value() return sysbench.rand.string(pad_form) end

-- How the server is to number the rows, and what stands behind the columns.
local function dialect(name)
   local opt = sysbench.opt
   if name == "mysql" then
      local more = (mysql_table_options or "") .. (opt.create_table_options or "")
      return opt.auto_inc and "INTEGER NOT NULL AUTO_INCREMENT" or "INTEGER NOT NULL",
         "/*! ENGINE = " .. opt.mysql_storage_engine .. " */ " .. more
   elseif name == "pgsql" then
      local numbered = opt.pgsql_variant == "redshift" and "INTEGER IDENTITY(1,1)" or "SERIAL"
      return opt.auto_inc and numbered or "INTEGER NOT NULL", opt.create_table_options or ""
   end
   error("tables cannot be made through the driver " .. name)
end

function create_table(drv, con, table_num)
   local opt, name = sysbench.opt, "sbtest" .. table_num
   local id, behind = dialect(drv:name())
   print(string.format("Creating table '%s'...", name))
   con:query("CREATE TABLE " .. name .. "(id " .. id .. ", k INTEGER DEFAULT '0' NOT NULL, " ..
             "c CHAR(120) DEFAULT '' NOT NULL, pad CHAR(60) DEFAULT '' NOT NULL, " ..
             (opt.secondary and "KEY xid" or "PRIMARY KEY") .. " (id)) " .. behind)
   if opt.table_size > 0 then
      print(string.format("Inserting %d records into '%s'", opt.table_size, name))
   end
   con:bulk_insert_init("INSERT INTO " .. name .. (opt.auto_inc and "(k, c, pad)" or "(id, k, c, pad)") .. " VALUES")
   for id = 1, opt.table_size do
      local c, pad = get_c_value(), get_pad_value()
      local row = string.format("%d, '%s', '%s')", sysbench.rand.default(1, opt.table_size), c, pad)
      con:bulk_insert_next(opt.auto_inc and "(" .. row or string.format("(%d, %s", id, row))
   end
   con:bulk_insert_done()
   if opt.create_secondary then
      print(string.format("Creating a secondary index on '%s'...", name))
      con:query(string.format("CREATE INDEX k_%d ON %s(k)", table_num, name))
   end
end

-- Calls `work` with a connection and each table that is this thread's.
local function for_own_tables(work)
   local opt, drv = sysbench.opt, sysbench.sql.driver()
   local con = drv:connect()
   for number = sysbench.tid % opt.threads + 1, opt.tables, opt.threads do work(drv, con, number) end
end

function cmd_prepare() for_own_tables(create_table) end

function cmd_warmup()
   local begun = false
   for_own_tables(function(drv, con, number)
      local name = "sbtest" .. number
      if not begun then
         begun = true
         assert(drv:name() == "mysql", "prewarm is for MySQL only")
         -- Derived tables are to stay in memory.
         con:query("SET tmp_table_size=2*1024*1024*1024")
         con:query("SET max_heap_table_size=2*1024*1024*1024")
      end
      print("Prewarming table " .. name)
      con:query("ANALYZE TABLE " .. name)
      for _, reads in ipairs({ "SELECT AVG(id) FROM (SELECT * FROM %s FORCE KEY (PRIMARY) LIMIT %d) t",
                               "SELECT COUNT(*) FROM (SELECT * FROM %s WHERE k LIKE '%%0%%' LIMIT %d) t" }) do
         con:query(string.format(reads, name, sysbench.opt.table_size))
      end
   end)
end
cmd_prewarm = cmd_warmup

sysbench.cmdline.commands = {
   prepare = { cmd_prepare, sysbench.cmdline.PARALLEL_COMMAND },
   prewarm = { cmd_warmup, sysbench.cmdline.PARALLEL_COMMAND },
   warmup = { cmd_warmup, sysbench.cmdline.PARALLEL_COMMAND },
}

function cleanup()
   local con = sysbench.sql.driver():connect()
   for number = 1, sysbench.opt.tables do
      print(string.format("Dropping table 'sbtest%d'...", number))
      con:query("DROP TABLE IF EXISTS sbtest" .. number)
   end
end

-- Statements ----------------------------------------------------------------------------------------------------------

-- By key: the text, with # for the table's number, and the type of each value.
local texts = {
   point_selects = { "SELECT c FROM sbtest# WHERE id=?", int },
   simple_ranges = { "SELECT c FROM sbtest# WHERE id BETWEEN ? AND ?", int, int },
   sum_ranges = { "SELECT SUM(k) FROM sbtest# WHERE id BETWEEN ? AND ?", int, int },
   order_ranges = { "SELECT c FROM sbtest# WHERE id BETWEEN ? AND ? ORDER BY c", int, int },
   distinct_ranges = { "SELECT DISTINCT c FROM sbtest# WHERE id BETWEEN ? AND ? ORDER BY c", int, int },
   index_updates = { "UPDATE sbtest# SET k=k+1 WHERE id=?", int },
   non_index_updates = { "UPDATE sbtest# SET c=? WHERE id=?", c_text, int },
   deletes = { "DELETE FROM sbtest# WHERE id=?", int },
   inserts = { "INSERT INTO sbtest# (id, k, c, pad) VALUES (?, ?, ?, ?)", int, int, c_text, pad_text },
}

function prepare_for_each_table(key)
   local of = texts[key]
   for number = 1, sysbench.opt.tables do
      local prepared, values = con:prepare((of[1]:gsub("#", number))), {}
      for place = 2, #of do values[place - 1] = prepared:bind_create(unpack(of[place])) end
      prepared:bind_param(unpack(values))
      stmt[number][key], param[number][key] = prepared, values
   end
end

for key in pairs(texts) do
   _G["prepare_" .. key] = function() prepare_for_each_table(key) end
end

function prepare_delete_inserts()
   prepare_for_each_table("deletes")
   prepare_for_each_table("inserts")
end

function prepare_begin() stmt.begin = con:prepare("BEGIN") end
function prepare_commit() stmt.commit = con:prepare("COMMIT") end
function begin() stmt.begin:execute() end
function commit() stmt.commit:execute() end

function close_statements()
   for number = 1, sysbench.opt.tables do
      for _, prepared in pairs(stmt[number]) do prepared:close() end
   end
   for _, prepared in pairs({ stmt.begin, stmt.commit }) do prepared:close() end
end

-- Events --------------------------------------------------------------------------------------------------------------

local function any_table() return sysbench.rand.uniform(1, sysbench.opt.tables) end
local function any_id() return sysbench.rand.default(1, sysbench.opt.table_size) end

-- A statement as often as its option says, all on one table; `fill` gives it its values.
local function repeated(key, fill)
   return function()
      local number = any_table()
      for _ = 1, sysbench.opt[key] do
         fill(param[number][key])
         stmt[number][key]:execute()
      end
   end
end

local function one_id(values) values[1]:set(any_id()) end

local function range(values)
   local first = any_id()
   values[1]:set(first)
   values[2]:set(first + sysbench.opt.range_size - 1)
end

execute_point_selects = repeated("point_selects", one_id)
execute_index_updates = repeated("index_updates", one_id)
execute_non_index_updates = repeated("non_index_updates", function(values)
   values[1]:set_rand_str(c_form)
   values[2]:set(any_id())
end)
for _, key in ipairs({ "simple_ranges", "sum_ranges", "order_ranges", "distinct_ranges" }) do
   _G["execute_" .. key] = repeated(key, range)
end

function execute_delete_inserts()
   local number = any_table()
   local gone, back = param[number].deletes, param[number].inserts
   for _ = 1, sysbench.opt.delete_inserts do
      local id, k = any_id(), any_id()
      gone[1]:set(id)
      back[1]:set(id)
      back[2]:set(k)
      back[3]:set_rand_str(c_form)
      back[4]:set_rand_str(pad_form)
      stmt[number].deletes:execute()
      stmt[number].inserts:execute()
   end
end

-- A thread's life -----------------------------------------------------------------------------------------------------

function thread_init()
   drv = sysbench.sql.driver()
   con = drv:connect()
   stmt, param = {}, {}
   for number = 1, sysbench.opt.tables do stmt[number], param[number] = {}, {} end
   prepare_statements()
end

function thread_done()
   close_statements()
   con:disconnect()
end

local events = 0

function check_reconnect()
   local every = sysbench.opt.reconnect or 0
   if every <= 0 then return end
   events = events + 1
   if events % every == 0 then
      close_statements()
      con:reconnect()
      prepare_statements()
   end
end

-- After these the connection is a new one, which knows no statement.
local lost = { [2006] = true, [2011] = true, [2013] = true, [2055] = true }

function sysbench.hooks.before_restart_event(err)
   if lost[err.sql_errno] then
      close_statements()
      prepare_statements()
   end
end
