-- Whether a script may stand still by other means than a statement: it then needs a thread for each of its clients.
local T = ...

local files = {}

local function noting(load)
   return function(name)
      if not T.meant(name) then files[#files + 1] = name end
      return load(name)
   end
end

dofile, loadfile = noting(dofile), noting(loadfile)

local ours = {}
for name in pairs(package.loaded) do ours[name] = true end

local words = { "%f[%w_]ffi%f[^%w_]", "os%.execute", "io%.popen", "io%.read", "io%.lines", "io%.stdin", "loadlib" }

local function stands_still(path)
   local file = type(path) == "string" and io.open(path)
   -- What cannot be looked at may do anything.
   if not file then return true end
   local text = file:read("*a")
   file:close()
   for _, word in ipairs(words) do
      if text:find(word) then return true end
   end
   return false
end

-- Of the script's file and of all that it has loaded, by what their text names.
function T.stands_still()
   for name in pairs(package.loaded) do
      if not ours[name] and not T.own[name] and stands_still(package.searchpath(name, package.path)) then return true end
   end
   for _, path in ipairs(files) do
      if stands_still(path) then return true end
   end
   return false
end

-- Whether any of them looks at rows that it has fetched.
local function fetches(path)
   local file = type(path) == "string" and io.open(path)
   if not file then return true end
   local text = file:read("*a")
   file:close()
   return text:find("fetch_row", 1, true) ~= nil
end

function T.looks()
   for name in pairs(package.loaded) do
      if not ours[name] and not T.own[name] and fetches(package.searchpath(name, package.path)) then return true end
   end
   for _, path in ipairs(files) do
      if fetches(path) then return true end
   end
   return T.stdin
end

-- Whether any of them names what leads to a connection to a database.
local function names_database(path)
   local file = type(path) == "string" and io.open(path)
   if not file then return true end
   local text = file:read("*a"):lower()
   file:close()
   return text:find("sql", 1, true) ~= nil or text:find("db_", 1, true) ~= nil or text:find("%.db%f[^%w_]") ~= nil
end

function T.connects()
   if T.stdin or next(T.own) ~= nil then return true end
   for name in pairs(package.loaded) do
      if not ours[name] and names_database(package.searchpath(name, package.path)) then return true end
   end
   for _, path in ipairs(files) do
      if names_database(path) then return true end
   end
   return false
end
