-- What our side calls: the script's functions, each guarded. Codes: 0 well, 1 the thread wants no more, 2 begin again,
-- 3 failed; the message of 2 and 3 stands in T.message().
local T = ...

local last, message

local function handler(err)
   last = err
   if type(err) == "table" then
      message = getmetatable(err) and tostring(err) or tostring(err.sql_errmsg or err.message or "a table was thrown")
   else
      message = tostring(err)
   end
   return err
end

local function again(err)
   return type(err) == "table" and err.errcode == sysbench.error.RESTART_EVENT
end

-- What was thrown, when Lua had no room to call the handler: a full stack, a full memory.
local function thrown(err)
   if not rawequal(last, err) then
      last, message = err, nil
      local ok, why = pcall(handler, err)
      if not ok then message = "an error that cannot be told: " .. tostring(why) end
   end
end

-- The loop that a thread is in, for scripts that put something around it. Left as it is, our side has a loop of its own.
local C = ffi.C

function thread_run(id)
   while C.sb_more_events(id) do
      C.sb_event_start(id)
      local ok, stop
      repeat
         ok, stop = pcall(event, id)
         if not ok then
            if not again(stop) then error(stop, 0) end
            T.api.roll_back(T.host)
            if type(sysbench.hooks.before_restart_event) == "function" then sysbench.hooks.before_restart_event(stop) end
         end
      until ok
      if stop then return end
      C.sb_event_stop(id)
   end
end

local usual = thread_run
function T.runs_itself() return type(thread_run) == "function" and thread_run ~= usual end

function T.message() return message or "" end

function T.trouble() local is = T.sql_failed T.sql_failed = false return is or false end

local function well(ok, err)
   if ok then return 0 end
   thrown(err)
   return 3
end

local tid = T.tid

local ended, host = T.api.event_ended, T.host

-- Events one after the other, until one does not end well or our side wants no more. Our side may suspend this between two of them, so that an
-- event does not cost a call from our side, which LuaJIT does not compile.
function T.events()
   repeat
      -- What a former event has caught is not the reason of what this one throws.
      T.sql_failed = false
      local ok, stop = xpcall(event, handler, tid)
      if not ok then
         thrown(stop)
         return again(last) and 2 or 3
      end
      if stop then return 1 end
   until ended(host) == 0
   return 0
end

-- Between two attempts of an event.
function T.before_restart()
   local hook = sysbench.hooks.before_restart_event
   if type(hook) ~= "function" or type(last) ~= "table" then return 0 end
   return well(xpcall(hook, handler, last))
end

-- The script's init() or done(), which belong to no thread.
function T.call_once(name)
   local called = _G[name]
   if type(called) ~= "function" then return 0 end
   return well(xpcall(called, handler))
end

-- A function of the script's, if it has it.
function T.call(name)
   local called = _G[name]
   if type(called) ~= "function" then return 0 end
   return well(xpcall(called, handler, tid))
end

function T.command_guarded(name)
   local ok, well = xpcall(T.run_command, handler, name)
   if not ok then
      thrown(well)
      return 3
   end
   return well and 0 or 1
end

function T.has(name) return type(_G[name]) == "function" end
