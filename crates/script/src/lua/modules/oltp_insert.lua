-- One INSERT of one row, as text.
require("oltp_common")

sysbench.cmdline.commands.prepare = {
   function()
      -- The ids of the run could meet those of rows that are there.
      if not sysbench.opt.auto_inc then sysbench.opt.table_size = 0 end
      cmd_prepare()
   end,
   sysbench.cmdline.PARALLEL_COMMAND,
}

function prepare_statements() end

function event()
   local opt = sysbench.opt
   local name = "sbtest" .. sysbench.rand.uniform(1, opt.tables)
   local k = sysbench.rand.default(1, opt.table_size)
   local c, pad = get_c_value(), get_pad_value()
   local columns, id = "id, k, c, pad", "0, "
   if not opt.auto_inc then
      -- 32 bits with a sign.
      id = string.format("%d, ", sysbench.rand.unique() - 2 ^ 31)
   elseif drv:name() == "pgsql" then
      columns, id = "k, c, pad", ""
   end
   con:query(string.format("INSERT INTO %s (%s) VALUES (%s%d, '%s', '%s')", name, columns, id, k, c, pad))
   check_reconnect()
end
