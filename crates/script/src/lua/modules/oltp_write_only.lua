-- BEGIN, UPDATEs, DELETE and INSERT, COMMIT.
require("oltp_common")

local writes = { "index_updates", "non_index_updates", "delete_inserts" }

function prepare_statements()
   if not sysbench.opt.skip_trx then
      prepare_begin()
      prepare_commit()
   end
   for _, key in ipairs(writes) do _G["prepare_" .. key]() end
end

function event()
   if not sysbench.opt.skip_trx then begin() end
   for _, key in ipairs(writes) do _G["execute_" .. key]() end
   if not sysbench.opt.skip_trx then commit() end
   check_reconnect()
end
