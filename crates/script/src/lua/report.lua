-- Reports that scripts can put in place of the usual ones, and sysbench.histogram.
local T = ...

local function per_second(stat)
   local seconds = stat.time_interval > 0 and stat.time_interval or 1
   return function(n) return n / seconds end
end

function sysbench.report_default(stat)
   local rate = per_second(stat)
   print(string.format("[ %.0fs ] thds: %u tps: %4.2f qps: %4.2f (r/w/o: %4.2f/%4.2f/%4.2f) lat (ms,%u%%): %4.2f " ..
                       "err/s %4.2f reconn/s: %4.2f",
         stat.time_total, stat.threads_running, rate(stat.events), rate(stat.reads + stat.writes + stat.other),
         rate(stat.reads), rate(stat.writes), rate(stat.other), sysbench.opt.percentile, stat.latency_pct * 1000,
         rate(stat.errors), rate(stat.reconnects)))
end

function sysbench.report_csv(stat)
   local rate = per_second(stat)
   print(string.format("%.0f,%u,%4.2f,%4.2f,%4.2f,%4.2f,%4.2f,%4.2f,%4.2f,%4.2f",
         stat.time_total, stat.threads_running, rate(stat.events), rate(stat.reads + stat.writes + stat.other),
         rate(stat.reads), rate(stat.writes), rate(stat.other), stat.latency_pct * 1000, rate(stat.errors),
         rate(stat.reconnects)))
end

-- One array over all reports of a kind; T.finish_reports closes it.
local opened = false

function sysbench.report_json(stat)
   local rate = per_second(stat)
   io.write(opened and ",\n" or "[\n")
   opened = true
   local function line(depth, name, format, value, last)
      io.write(string.rep(" ", depth), '"', name, '": ', string.format(format, value), last and "\n" or ",\n")
   end
   io.write("  {\n")
   line(4, "time", "%4.0f", stat.time_total)
   line(4, "threads", "%u", stat.threads_running)
   line(4, "tps", "%4.2f", rate(stat.events))
   io.write('    "qps": {\n')
   line(6, "total", "%4.2f", rate(stat.reads + stat.writes + stat.other))
   line(6, "reads", "%4.2f", rate(stat.reads))
   line(6, "writes", "%4.2f", rate(stat.writes))
   line(6, "other", "%4.2f", rate(stat.other), true)
   io.write("    },\n")
   line(4, "latency", "%4.2f", stat.latency_pct * 1000)
   line(4, "errors", "%4.2f", rate(stat.errors))
   line(4, "reconnects", "%4.2f", rate(stat.reconnects), true)
   io.write("  }")
end

function T.finish_reports()
   if opened then io.write("\n]\n") end
   opened = false
end

function T.report(hook, stat)
   local called = sysbench.hooks[hook]
   if type(called) ~= "function" then return false end
   if hook == "report_cumulative" then T.finish_reports() end
   called(stat)
   return true
end

function T.reports(hook) return type(sysbench.hooks[hook]) == "function" end

-- Histograms: buckets evenly spaced on a logarithmic scale from min to max.
local histogram = {}
histogram.__index = histogram
sysbench.histogram = {}

function sysbench.histogram.new(size, min, max)
   assert(size > 1 and min > 0 and max > min, "sysbench.histogram.new(size, min, max): size > 1, 0 < min < max")
   local step = (math.log(max) - math.log(min)) / (size - 1)
   return setmetatable({ size = size, low = math.log(min), step = step, counts = {} }, histogram)
end

function histogram:update(value)
   local place = value > 0 and math.floor((math.log(value) - self.low) / self.step + 0.5) or 0
   place = math.max(0, math.min(self.size - 1, place))
   self.counts[place] = (self.counts[place] or 0) + 1
end

function histogram:print()
   local most = 0
   for _, count in pairs(self.counts) do most = math.max(most, count) end
   if most == 0 then return end
   print("       value  ------------- distribution ------------- count")
   for place = 0, self.size - 1 do
      local count = self.counts[place]
      if count then
         local bar = string.rep("*", math.floor(count / most * 40 + 0.5))
         print(string.format("%12.3f |%-40s %d", math.exp(self.low + self.step * place), bar, count))
      end
   end
end
