-- BEGIN, point SELECTs and ranges, UPDATEs, DELETE and INSERT, COMMIT.
require("oltp_common")

local ranges = { "simple_ranges", "sum_ranges", "order_ranges", "distinct_ranges" }
local writes = { "index_updates", "non_index_updates", "delete_inserts" }

function prepare_statements()
   if not sysbench.opt.skip_trx then
      prepare_begin()
      prepare_commit()
   end
   prepare_point_selects()
   if sysbench.opt.range_selects then
      for _, key in ipairs(ranges) do _G["prepare_" .. key]() end
   end
   for _, key in ipairs(writes) do _G["prepare_" .. key]() end
end

function event()
   if not sysbench.opt.skip_trx then begin() end
   execute_point_selects()
   if sysbench.opt.range_selects then
      for _, key in ipairs(ranges) do _G["execute_" .. key]() end
   end
   for _, key in ipairs(writes) do _G["execute_" .. key]() end
   if not sysbench.opt.skip_trx then commit() end
   check_reconnect()
end
