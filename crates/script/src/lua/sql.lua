-- sysbench.sql: connections, statements, results.
local T = ...
local api, host = T.api, T.host
local query, execute, cell = api.query, api.execute, api.cell

local sql = {
   type = { NONE = 0, TINYINT = 1, SMALLINT = 2, INT = 3, BIGINT = 4, FLOAT = 5, DOUBLE = 6, TIME = 7, DATE = 8,
            DATETIME = 9, TIMESTAMP = 10, CHAR = 11, VARCHAR = 12 },
   error = { NONE = 0, IGNORABLE = 1, FATAL = 2 },
}
sysbench.sql = sql

-- What stands for the answer to a statement without rows: equal to nil, but not false. Under sysbench it is a null pointer, and to read from it
-- ends the process.
ffi.cdef("typedef struct { uint8_t unused; } tenbin_nothing;")
local nothing
local function is_nothing(value) return rawequal(value, nil) or rawequal(value, nothing) end
nothing = ffi.metatype("tenbin_nothing", {
   __eq = function(one, other) return is_nothing(one) and is_nothing(other) end,
   __index = function(_, key)
      if key == "free" then return function() end end
      error("the statement has returned no rows, so its result has no " .. tostring(key) .. ": compare it with nil first", T.level())
   end,
   __tostring = function() return "<sql_result>" end,
})()

local function described(err)
   if err.sql_state ~= "" then
      return string.format("SQL error, errno = %d, state = '%s': %s", err.sql_errno, err.sql_state, err.sql_errmsg)
   end
   return string.format("SQL error, errno = %d: %s", err.sql_errno, err.sql_errmsg)
end

local thrown = { __tostring = described }

-- Raises the error that the connection has: as a table that begins the event again, or as a message that ends the run.
local function raise_of(con, text)
   local err = setmetatable({
      connection = con,
      query = text,
      sql_errno = con.sql_errno,
      sql_state = con.sql_state,
      sql_errmsg = con.sql_errmsg,
   }, thrown)
   T.sql_failed = true
   local again = con.error == sql.error.IGNORABLE
   if not again and type(sysbench.hooks.sql_error_ignorable) == "function" then
      again = sysbench.hooks.sql_error_ignorable(err)
   end
   if again then
      err.errcode = sysbench.error.RESTART_EVENT
      error(err)
   end
   error(described(err), T.level())
end

-- What the client library says of a connection that is lost.
local of_library = { [2006] = "Server has gone away", [2013] = "Lost connection to server during query" }

-- Makes the connection know the last error.
local function take_error(con)
   local failure = ffi.new("tenbin_failure")
   api.error(host, failure)
   con.sql_errno, con.sql_state = failure.number, ffi.string(failure.state)
   con.sql_errmsg = con.sql_state == "HY000" and of_library[failure.number] or ffi.string(failure.message, failure.message_len)
   con.error = failure.ignorable ~= 0 and sql.error.IGNORABLE or sql.error.FATAL
end

-- The same of the last error.
local function raise(con, text)
   take_error(con)
   return raise_of(con, text)
end

-- Raises the error of a bulk INSERT, which ends the run even if its number is among those to ignore, as in sysbench: the rows are those of many
-- events, and the one that begins again would not send them.
local function raise_of_bulk(con, name)
   take_error(con)
   T.sql_failed = true
   error(string.format("db_%s() failed: %s", name, described(con)), T.level())
end

-- A statement that succeeds leaves nothing of an error before it.
local function succeeded(con)
   if con.error ~= 0 then con.error, con.sql_errno, con.sql_state, con.sql_errmsg = 0, 0, nil, nil end
end

-- Drivers -------------------------------------------------------------------------------------------------------------

local driver = { __tostring = function() return "<sql_driver>" end }
driver.__index = driver
local connection = { __tostring = function() return "<sql_connection>" end }
connection.__index = connection
local statement = { __tostring = function() return "<sql_statement>" end }
statement.__index = statement

function sql.driver(name)
   local ours = T.driver
   name = name or (sysbench.opt and sysbench.opt.db_driver) or ours
   if name ~= ours and name ~= T.other_driver then
      error(string.format("failed to initialize the DB driver: the database here is spoken to as %q, not %q", ours, name),
            T.level())
   end
   api.uses_sql(host)
   return setmetatable({ driver_name = name }, driver)
end

function driver:name() return self.driver_name end

function driver:connect()
   local link = api.connect(host, self.driver_name == T.driver and 0 or 1)
   if link < 0 then
      local failure = ffi.new("tenbin_failure")
      api.error(host, failure)
      T.sql_failed = true
      error("connection creation failed: " .. ffi.string(failure.message, failure.message_len), T.level())
   end
   return setmetatable({
      link = link,
      answer = api.answer(host, link),
      error = sql.error.NONE, sql_errno = 0,
   }, connection)
end

-- Connections ---------------------------------------------------------------------------------------------------------

local function text_of(value)
   if type(value) == "string" then return value end
   if type(value) == "number" then return tostring(value) end
   error("a statement must be text, not " .. type(value), T.level())
end

function connection:query(text)
   text = text_of(text)
   local code = query(host, self.link, text, #text)
   if code ~= 0 and code ~= 1 then return raise(self, text) end
   succeeded(self)
   return code == 0 and nothing or self.answer
end

function connection:query_row(text)
   local answer = self:query(text)
   if answer == nil then return nil end
   local row = answer:fetch_row()
   if row == nil then return nil end
   return unpack(row, 1, answer.nfields)
end

function connection:prepare(text)
   text = text_of(text)
   local bound = api.prepare(host, self.link, text, #text)
   if bound == nil then return raise(self, text) end
   return setmetatable({ bound = bound, connection = self, params = {} }, statement)
end

function connection:bulk_insert_init(text)
   text = text_of(text)
   if api.bulk_init(host, self.link, text, #text) < 0 then return raise_of_bulk(self, "bulk_insert_init") end
   return true
end

function connection:bulk_insert_next(text)
   text = text_of(text)
   if api.bulk_next(host, self.link, text, #text) < 0 then return raise_of_bulk(self, "bulk_insert_next") end
   return true
end

function connection:bulk_insert_done()
   if api.bulk_done(host, self.link) < 0 then return raise_of_bulk(self, "bulk_insert_done") end
   return true
end

function connection:disconnect() api.disconnect(host, self.link) return true end

function connection:reconnect()
   if api.reconnect(host, self.link) < 0 then return raise(self, "connect") end
   return true
end

-- The result of a query, unless it is none because of an error, which is raised.
function connection:check_error(rs, text)
   if rs ~= nil or self.error == sql.error.NONE then return rs end
   return raise_of(self, text)
end

function connection:more_results() return api.more(host, self.link) == 1 end

function connection:next_result()
   if api.more(host, self.link) == 1 and api.next(host, self.link) == 1 then return self.answer end
   return nothing
end

-- Results -------------------------------------------------------------------------------------------------------------

local at = ffi.new("const char *[1]")
local result = {}

function result:fetch_row()
   if self.row >= self.nrows then return nil end
   self.row = self.row + 1
   local row = {}
   for i = 0, self.nfields - 1 do
      local length = tonumber(cell(host, self, i, at))
      if length >= 0 then row[i + 1] = ffi.string(at[0], length) end
   end
   if self.nfields == 0 then
      error("rows of a prepared statement are counted, not kept; fetch them with con:query()", T.level())
   end
   return row
end

function result:free() end

-- What the statement was counted as: a read, as it has rows (SB_CNT_READ).
result.counter = 1

ffi.metatype("tenbin_answer", {
   __index = result,
   __tostring = function() return "<sql_result>" end,
})

-- Prepared statements -------------------------------------------------------------------------------------------------

-- 1: whole numbers, 2: real ones, 3: text.
local kinds = { 1, 1, 1, 1, 2, 2, nil, nil, nil, nil, 3, 3 }

function statement:bind_create(kind, max)
   local of = kinds[kind]
   if of == nil then error("Unsupported argument type: " .. tostring(kind), T.level()) end
   if of == 3 and (max == nil or max < 1) then
      error("a text parameter needs its largest length: bind_create(type, length)", T.level())
   end
   local param = ffi.new("tenbin_param", of == 3 and max or 0)
   param.kind, param.null, param.max = of, 1, of == 3 and max or 0
   return param
end

function statement:bind_param(...)
   local count = select("#", ...)
   if count == 0 then return nil end
   api.bind(self.bound, nil)
   -- Kept here, so that they live as long as the statement.
   self.params = { ... }
   for i = 1, count do api.bind(self.bound, self.params[i]) end
   return 0
end

function statement:execute()
   local bound = self.bound
   if bound == nil then error("the statement is closed", T.level()) end
   local code = execute(host, bound)
   local con = self.connection
   if code ~= 0 and code ~= 1 then return raise(con, "<prepared statement>") end
   succeeded(con)
   return code == 0 and nothing or con.answer
end

function statement:close()
   if self.bound ~= nil then
      api.forget(host, self.bound)
      self.bound = nil
   end
   return 0
end

function statement:next_result() return nothing end

local param = {}

function param:set(value)
   if value == nil then
      self.null = 1
      return
   end
   self.null = 0
   local kind = self.kind
   if kind == 1 then
      self.number = value
   elseif kind == 2 then
      self.float_number = value
   else
      if type(value) ~= "string" then value = tostring(value) end
      local length = math.min(#value, self.max)
      self.len = length
      ffi.copy(self.text, value, length)
   end
end

local write, form = api.text, T.form
function param:set_rand_str(fmt)
   if self.kind ~= 3 then error("set_rand_str() is for text parameters", T.level()) end
   self.null = 0
   self.len = write(host, form(fmt), self.text, self.max)
end

ffi.metatype("tenbin_param", {
   __index = param,
   __tostring = function() return "<sql_param>" end,
})
