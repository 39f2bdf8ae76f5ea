-- Names of sysbench 0.5, for scripts of that age: a connection of the thread's own, values bound as a table.
local T = ...

local con

local function own()
   if con == nil then con = sysbench.sql.driver():connect() end
   return con
end

local db = { DB_ERROR_NONE = 0, DB_ERROR_RESTART_TRANSACTION = 1, DB_ERROR_FAILED = 2 }
sysbench.db = db

function db.connect() own() end

function db.disconnect()
   if con ~= nil then con:disconnect() end
   con = nil
end

function db.query(text) own():query(text) end
function db.bulk_insert_init(text) own():bulk_insert_init(text) end
function db.bulk_insert_next(text) own():bulk_insert_next(text) end
function db.bulk_insert_done() own():bulk_insert_done() end
function db.prepare(text) return own():prepare(text) end

-- The table is looked at again by each execute: scripts of that age put new values into it.
function db.bind_param(stmt, values)
   local params, types = {}, {}
   for i, value in ipairs(values) do
      if type(value) == "string" then
         params[i] = stmt:bind_create(sysbench.sql.type.VARCHAR, 65535)
      elseif type(value) == "number" and value ~= math.floor(value) then
         params[i] = stmt:bind_create(sysbench.sql.type.DOUBLE)
      else
         params[i] = stmt:bind_create(sysbench.sql.type.BIGINT)
      end
      types[i] = params[i]
   end
   stmt.values, stmt.of_values = values, params
   return stmt:bind_param(unpack(params))
end

function db.bind_result() end

function db.execute(stmt)
   if stmt.values ~= nil then
      for i, param in ipairs(stmt.of_values) do param:set(stmt.values[i]) end
   end
   return stmt:execute()
end

function db.store_results() end
function db.free_results() end
function db.close(stmt) stmt:close() end

for name, value in pairs(db) do
   _G[type(value) == "function" and "db_" .. name or name] = value
end

-- Options are texts there, and stand for numbers.
local rand = sysbench.rand
function sb_rand(a, b) return rand.default(tonumber(a), tonumber(b)) end
function sb_rand_uniform(a, b) return rand.uniform(tonumber(a), tonumber(b)) end
function sb_rand_gaussian(a, b) return rand.gaussian(tonumber(a), tonumber(b)) end
local special = rand.special
function sb_rand_special(a, b) return special(tonumber(a), tonumber(b)) end
sb_rand_str = sysbench.rand.string
-- Of the range that is asked for: drawn again outside of a wide one, so that none comes twice.
function sb_rand_uniq(a, b)
   local n = sysbench.rand.unique()
   if not (a and b) then return n end
   local width = b - a + 1
   if width < 1e6 then return a + n % width end
   while n < a or n > b do n = sysbench.rand.unique() end
   return n
end
-- 32 bits, as 1.0 has them.
function sb_rnd() return tonumber(sysbench.rand.uniform_uint64() % 4294967296) end

mysql_table_engine = "innodb"
myisam_max_rows = 1000000

-- Lets texts be read as globals until the function that comes back is called, which tells whether any was.
function T.lend(texts)
   local looked = false
   local lent = { __index = function(_, name)
      if texts[name] ~= nil then looked = true end
      return texts[name]
   end }
   if next(texts) ~= nil then setmetatable(_G, lent) end
   return function()
      if getmetatable(_G) == lent then setmetatable(_G, nil) end
      return looked
   end
end

-- What a script that declares no options gets: each option as a global, unless a function or a library has its name.
function T.export(name, value)
   local kind = type(_G[name])
   if kind ~= "function" and kind ~= "table" then _G[name] = value end
end

-- 1.1 has dropped it.
if T.version:find("^1%.1") then rand.special = nil end

-- What luajit -j would be told.
if T.jit == "off" then
   jit.off()
elseif T.jit == "flush" then
   jit.flush()
elseif T.jit ~= "" and T.jit ~= "on" then
   local found, module = pcall(require, "jit." .. T.jit:match("^[^=]*"))
   if found and type(module) == "table" and module.start then module.start(T.jit:match("=(.*)$")) end
end
