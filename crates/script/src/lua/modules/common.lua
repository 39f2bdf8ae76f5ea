-- What the tests of sysbench 0.5 have in common, for scripts that begin with dofile(pathtest .. "common.lua"). The names are the
-- interface of that age: set_vars() gives options their values, prepare() and cleanup() make and drop tables sbtest1, sbtest2, ….

local function groups(n) return string.rep("###########-", n - 1) .. "###########" end
local c_form, pad_form = groups(10), groups(5)

-- Options that are numbers, with what they are if they are not given.
local numbers = {
   oltp_table_size = 10000, oltp_range_size = 100, oltp_tables_count = 1, oltp_point_selects = 10, oltp_simple_ranges = 1,
   oltp_sum_ranges = 1, oltp_order_ranges = 1, oltp_distinct_ranges = 1, oltp_index_updates = 1, oltp_non_index_updates = 1,
}
-- Options that are on or off.
local switches = { oltp_auto_inc = true, oltp_create_secondary = true, oltp_read_only = false, oltp_skip_trx = false }

local function is_on(value, default)
   if value == nil or value == "" then return default end
   return value == true or value == "on" or value == "true" or value == "1"
end

function set_vars()
   for name, default in pairs(numbers) do _G[name] = tonumber(_G[name]) or default end
   for name, default in pairs(switches) do _G[name] = is_on(_G[name], default) end
   db_driver = db_driver or sysbench.sql.driver():name()
end

-- Numbers of rows, and what stands behind the columns.
local function dialect()
   if db_driver == "pgsql" then return oltp_auto_inc and "SERIAL" or "INTEGER NOT NULL", "" end
   if db_driver ~= "mysql" then return "INTEGER NOT NULL", "" end
   local numbered = oltp_auto_inc and "INTEGER UNSIGNED NOT NULL AUTO_INCREMENT" or "INTEGER UNSIGNED NOT NULL"
   return numbered, " /*! ENGINE = " .. mysql_table_engine .. " */ " .. (mysql_table_options or "")
end

function create_insert(table_id)
   local name = "sbtest" .. table_id
   local id, behind = dialect()
   local key = is_on(oltp_secondary, false) and db_driver == "mysql" and "KEY xid" or "PRIMARY KEY"
   print("Creating table '" .. name .. "'...")
   db_query("CREATE TABLE " .. name .. " (id " .. id .. ", k INTEGER DEFAULT 0 NOT NULL, c CHAR(120) DEFAULT '' NOT NULL, "
      .. "pad CHAR(60) DEFAULT '' NOT NULL, " .. key .. " (id))" .. behind)
   if db_driver ~= "pgsql" and db_driver ~= "mysql" then oltp_auto_inc = false end
   print("Inserting " .. oltp_table_size .. " records into '" .. name .. "'")
   db_bulk_insert_init("INSERT INTO " .. name .. (oltp_auto_inc and "(k, c, pad)" or "(id, k, c, pad)") .. " VALUES")
   for row = 1, oltp_table_size do
      local first = oltp_auto_inc and "(" or "(" .. row .. ", "
      local k = sb_rand(1, oltp_table_size)
      db_bulk_insert_next(first .. k .. ", '" .. sb_rand_str(c_form) .. "', '" .. sb_rand_str(pad_form) .. "')")
   end
   db_bulk_insert_done()
   if oltp_create_secondary then db_query("CREATE INDEX k_" .. table_id .. " ON " .. name .. "(k)") end
end

function prepare()
   set_vars()
   db_connect()
   for table_id = 1, oltp_tables_count do create_insert(table_id) end
   return 0
end

function cleanup()
   set_vars()
   db_connect()
   for table_id = 1, oltp_tables_count do
      print("Dropping table 'sbtest" .. table_id .. "'...")
      db_query("DROP TABLE IF EXISTS sbtest" .. table_id)
   end
   return 0
end
