-- sysbench.rand: all numbers come from the thread's own stream.
local T = ...
local api, host = T.api, T.host
local draw, unique, word, unit, form, text = api.draw, api.unique, api.word, api.unit, api.form, api.text

local rand = {}
sysbench.rand = rand

-- Bounds have 32 bits, and what is beyond is lost: sysbench does not say so, here it is said once.
local most, errors = 4294967295, io.stderr
local function beyond(name, a, b)
   if api.beyond(host) ~= 0 then
      local said = "tenbin: sysbench.rand.%s(%.0f, %.0f): bounds are taken modulo 2^32, as sysbench does\n"
      errors:write(said:format(name, tonumber(a) or 0, tonumber(b)))
   end
end

function rand.default(a, b) if (tonumber(b) or 0) > most then beyond("default", a, b) end return draw(host, 0, a, b) end
function rand.uniform(a, b) if (tonumber(b) or 0) > most then beyond("uniform", a, b) end return draw(host, 1, a, b) end
function rand.gaussian(a, b) if (tonumber(b) or 0) > most then beyond("gaussian", a, b) end return draw(host, 2, a, b) end
function rand.special(a, b) if (tonumber(b) or 0) > most then beyond("special", a, b) end return draw(host, 3, a, b) end
function rand.pareto(a, b) if (tonumber(b) or 0) > most then beyond("pareto", a, b) end return draw(host, 4, a, b) end
function rand.zipfian(a, b) if (tonumber(b) or 0) > most then beyond("zipfian", a, b) end return draw(host, 5, a, b) end
function rand.unique() return unique(host) end
function rand.uniform_uint64() return word(host) end
function rand.uniform_double() return unit(host) end

-- Forms by their text; the last place is used again by all that come after 255.
local forms = {}
function T.form(fmt)
   local number = forms[fmt]
   if number == nil then
      number = form(host, fmt, #fmt)
      if number < 255 then forms[fmt] = number end
   end
   return number
end

local room, buffer = 0, nil
local function buffer_of(size)
   if size > room then
      room = math.max(size, 256)
      buffer = ffi.new("char[?]", room)
   end
   return buffer
end

function rand.string(fmt)
   local size = #fmt
   local out = buffer_of(size)
   return ffi.string(out, text(host, T.form(fmt), out, size))
end

function rand.varstring(low, high)
   assert(low <= high, "sysbench.rand.varstring: the first length must not be larger than the second")
   local size = rand.uniform(low, high)
   local out = buffer_of(size)
   for i = 0, size - 1 do out[i] = draw(host, 1, 48, 122) end
   return ffi.string(out, size)
end
