-- sysbench's own scripts for those that require or load them where it is not installed: T.modules has the texts by name.
local T = ...
local texts = T.modules

-- Their names, once loaded: nothing in them stands still but for statements.
T.own = {}

local function own(name)
   T.own[name] = true
   return assert(loadstring(texts[name], "=(sysbench " .. name .. ".lua)"))
end

-- Last of all: a file of that name goes first. Except for a native test that needs what only our own script has.
table.insert(package.loaders, T.own_modules and 1 or #package.loaders + 1, function(name)
   if texts[name] == nil then return "" end
   return own(name)
end)

-- The one that is meant by the path of a file that is not there.
function T.meant(path)
   local name = type(path) == "string" and (path:match("sysbench/([%w_]+)%.lua$")
      or path:match("sysbench/lua/([%w_]+)%.lua$") or path:match("src/lua/([%w_]+)%.lua$")
      or path:match("^%.?/?([%w_]+)%.lua$")
      -- Scripts of 0.5 load it from beside themselves.
      or path:match("/(common)%.lua$"))
   local file = name and texts[name] and io.open(path)
   if file then file:close() end
   return name and texts[name] and not file and name or nil
end

local load_file, do_file = loadfile, dofile

function loadfile(path, ...)
   local name = T.meant(path)
   if name then return own(name) end
   return load_file(path, ...)
end

function dofile(path)
   local name = T.meant(path)
   if name then return own(name)() end
   return do_file(path)
end
