-- Counts of rows within one of several ranges of k; each thread in a part of its own of the table sbtest1.
require("oltp_common")

sysbench.cmdline.options.number_of_ranges = { "ranges in the statement", 10 }
sysbench.cmdline.options.delta = { "width of a range", 5 }

local clean = cleanup
local function one_table() assert(sysbench.opt.tables == 1, "this test has one table: --tables=1") end


function cleanup()
   one_table()
   clean()
end

local first, last

function prepare_statements()
   local opt, ranges = sysbench.opt, sysbench.opt.number_of_ranges
   local one = "k BETWEEN ? AND ?"
   stmt = con:prepare("SELECT count(k) FROM sbtest1 WHERE " .. string.rep(one .. " OR ", ranges - 1) .. one)
   params = {}
   for place = 1, 2 * ranges do params[place] = stmt:bind_create(sysbench.sql.type.INT) end
   stmt:bind_param(unpack(params))
   local part = opt.table_size / opt.threads
   first = part * (sysbench.tid % opt.threads)
   last = first + part
end

function close_statements() stmt:close() end

function event()
   for place = 1, #params, 2 do
      local from = sysbench.rand.default(first, last)
      params[place]:set(from)
      params[place + 1]:set(from + sysbench.opt.delta)
   end
   stmt:execute()
   check_reconnect()
end
