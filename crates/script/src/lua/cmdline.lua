-- sysbench.cmdline: what the script declares, and its commands.
local T = ...

local cmdline = {
   argv = T.argv,
   command = T.command,
   script_path = T.title,
   PARALLEL_COMMAND = true,
   ARG_NULL = 0, ARG_BOOL = 1, ARG_INT = 2, ARG_SIZE = 3, ARG_DOUBLE = 4, ARG_STRING = 5, ARG_LIST = 6, ARG_FILE = 7,
   ARG_MAX = 8,
}
sysbench.cmdline = cmdline

local inferred = { boolean = cmdline.ARG_BOOL, number = cmdline.ARG_DOUBLE, string = cmdline.ARG_STRING,
                   table = cmdline.ARG_LIST }

-- Calls `told` with name, description, default and type of each declared option.
function T.options(told)
   for name, row in pairs(cmdline.options or {}) do
      if type(name) ~= "string" then
         error("`sysbench.cmdline.read_cmdline_options' function failed: [string \"sysbench.cmdline.lua\"]:1: " ..
               "wrong table structure in sysbench.cmdline.options", 0)
      end
      local text, default = row, nil
      local kind
      if type(row) == "table" then
         text, default, kind = row[1], row[2], row[3]
      end
      kind = kind or inferred[type(default)] or cmdline.ARG_STRING
      if type(default) == "table" then default = table.concat(default, ",") end
      told(tostring(name), tostring(text or ""), default ~= nil and tostring(default) or "", kind, default ~= nil)
   end
end

-- Gives a value, as it was typed, to the option's own check, where it has one; what that answers or throws decides.
function T.validate(name, value)
   local row = (cmdline.options or {})[name]
   if type(row) == "table" and type(row[4]) == "function" then return row[4](name, value) ~= false end
   return true
end

local own = { "prepare", "cleanup", "help" }

function cmdline.command_defined(name)
   return type(cmdline.commands) == "table" and cmdline.commands[name] ~= nil
end

function cmdline.command_parallel(name)
   return cmdline.command_defined(name) and type(cmdline.commands[name]) == "table"
      and cmdline.commands[name][2] == cmdline.PARALLEL_COMMAND
end

function cmdline.call_command(name)
   local row = cmdline.commands[name]
   local called = type(row) == "table" and row[1] or row
   if type(called) ~= "function" then error("the command " .. name .. " has no function") end
   return called()
end

function cmdline.read_cmdline_options() end

-- Drops what the body would print or start, and keeps it from ending the process: for a look at what it declares.
function T.mute()
   local nowhere = io.open("/dev/null", "w")
   if nowhere then io.output(nowhere) io.stdout, io.stderr = nowhere, nowhere end
   print = function() end
   os.execute = function() return 0 end
   os.exit = function() error("the script has ended", 0) end
end

-- Calls `told` with the name of each command and whether it is parallel.
function T.commands(told)
   for name in pairs(cmdline.commands or {}) do told(tostring(name), cmdline.command_parallel(name)) end
   for _, name in ipairs(own) do
      if not cmdline.command_defined(name) and (type(_G[name]) == "function" or name == "help" and cmdline.options) then
         told(name, false)
      end
   end
end

function T.run_command(name)
   if cmdline.command_defined(name) then return cmdline.call_command(name) ~= false end
   -- What such a function returns has no meaning.
   if type(_G[name]) == "function" then _G[name]() return true end
   if name == "help" then
      print(T.title:match("[^/]*$") .. " options:")
      return cmdline.print_test_options() ~= false
   end
   error("there is no command " .. name)
end

local takes = { "[=on|off]", "=N", "=SIZE", "=N", "=STRING", "=[LIST,...]", "=FILENAME" }

function cmdline.print_test_options()
   local rows, width = {}, 0
   T.options(function(name, text, default, kind, given)
      local left = "  --" .. name .. (takes[kind] or "=STRING")
      if kind == cmdline.ARG_BOOL then default = default == "true" and "on" or "off" end
      width = math.max(width, #left)
      rows[#rows + 1] = { name, left, text .. (given and " [" .. default .. "]" or "") }
   end)
   table.sort(rows, function(a, b) return a[1] < b[1] end)
   for _, row in ipairs(rows) do print(row[2] .. string.rep(" ", width - #row[2] + 1) .. row[3]) end
   print("")
end
