-- One row per event into a table of the thread's own; rows gather and go out together.
local rows = 0

local function for_all_tables(said, work)
   local con = sysbench.sql.driver():connect()
   for number = 1, sysbench.opt.threads do
      print(said .. " table 'sbtest" .. number .. "'...")
      con:query(work("sbtest" .. number))
   end
end

function prepare()
   for_all_tables("Creating", function(name)
      return "CREATE TABLE IF NOT EXISTS " .. name ..
         " (id INTEGER NOT NULL, k INTEGER DEFAULT '0' NOT NULL, PRIMARY KEY (id))"
   end)
end

function cleanup()
   for_all_tables("Dropping", function(name) return "DROP TABLE IF EXISTS " .. name end)
end

function thread_init()
   drv = sysbench.sql.driver()
   con = drv:connect()
end

function event()
   if rows == 0 then con:bulk_insert_init("INSERT INTO sbtest" .. sysbench.tid + 1 .. " VALUES") end
   rows = rows + 1
   con:bulk_insert_next(string.format("(%d,%d)", rows, rows))
end

function thread_done()
   con:bulk_insert_done()
   con:disconnect()
end
