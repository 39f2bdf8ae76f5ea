-- SELECTs of rows with one of several values of k; each thread in a part of its own of the table sbtest1.
require("oltp_common")

sysbench.cmdline.options.random_points = { "values in the IN list", 10 }

local clean = cleanup
local function one_table() assert(sysbench.opt.tables == 1, "this test has one table: --tables=1") end


function cleanup()
   one_table()
   clean()
end

local first, last

function prepare_statements()
   local opt, points = sysbench.opt, sysbench.opt.random_points
   stmt = con:prepare("SELECT id, k, c, pad FROM sbtest1 WHERE k IN (" .. string.rep("?, ", points - 1) .. "?)")
   params = {}
   for place = 1, points do params[place] = stmt:bind_create(sysbench.sql.type.INT) end
   stmt:bind_param(unpack(params))
   local part = opt.table_size / opt.threads
   first = part * (sysbench.tid % opt.threads)
   last = first + part
end

function close_statements() stmt:close() end

function event()
   for _, value in ipairs(params) do value:set(sysbench.rand.default(first, last)) end
   stmt:execute()
   check_reconnect()
end
