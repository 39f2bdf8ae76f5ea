-- BEGIN, point SELECTs and ranges, COMMIT.
require("oltp_common")

local ranges = { "simple_ranges", "sum_ranges", "order_ranges", "distinct_ranges" }

function prepare_statements()
   prepare_point_selects()
   if not sysbench.opt.skip_trx then
      prepare_begin()
      prepare_commit()
   end
   if sysbench.opt.range_selects then
      for _, key in ipairs(ranges) do _G["prepare_" .. key]() end
   end
end

function event()
   if not sysbench.opt.skip_trx then begin() end
   execute_point_selects()
   if sysbench.opt.range_selects then
      for _, key in ipairs(ranges) do _G["execute_" .. key]() end
   end
   if not sysbench.opt.skip_trx then commit() end
   check_reconnect()
end
