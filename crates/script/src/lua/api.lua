-- The C side (`api.rs` declares the same table), the table `sysbench`, and what every other file here needs.
-- Called with T, which all files share: host (address), api (address), tid, command, title, argv.
local T = ...
ffi = require("ffi")

ffi.cdef([[
typedef struct tenbin_host tenbin_host;
typedef struct tenbin_bound tenbin_bound;
typedef struct { uint32_t nrows; uint32_t nfields; uint32_t row; uint32_t link; } tenbin_answer;
typedef struct { uint8_t kind; uint8_t null; uint32_t len; uint32_t max; int64_t number; double float_number; char text[?]; } tenbin_param;
typedef struct { uint32_t number; uint8_t ignorable; char state[6]; const char *message; size_t message_len; } tenbin_failure;
typedef struct {
  int (*connect)(tenbin_host *, int);
  int (*reconnect)(tenbin_host *, int);
  void (*disconnect)(tenbin_host *, int);
  tenbin_answer *(*answer)(tenbin_host *, int);
  int (*query)(tenbin_host *, int, const char *, size_t);
  int64_t (*cell)(tenbin_host *, const tenbin_answer *, uint32_t, const char **);
  int (*more)(tenbin_host *, int);
  int (*next)(tenbin_host *, int);
  void (*roll_back)(tenbin_host *);
  void (*fetches)(tenbin_host *, int);
  tenbin_bound *(*prepare)(tenbin_host *, int, const char *, size_t);
  int (*bind)(tenbin_bound *, const tenbin_param *);
  int (*execute)(tenbin_host *, tenbin_bound *);
  void (*forget)(tenbin_host *, tenbin_bound *);
  int (*bulk_init)(tenbin_host *, int, const char *, size_t);
  int (*bulk_next)(tenbin_host *, int, const char *, size_t);
  int (*bulk_done)(tenbin_host *, int);
  uint32_t (*draw)(tenbin_host *, int, uint32_t, uint32_t);
  int (*beyond)(tenbin_host *);
  uint32_t (*unique)(tenbin_host *);
  uint64_t (*word)(tenbin_host *);
  double (*unit)(tenbin_host *);
  int (*form)(tenbin_host *, const char *, size_t);
  size_t (*text)(tenbin_host *, int, char *, size_t);
  void (*error)(tenbin_host *, tenbin_failure *);
  int (*stopped)(tenbin_host *);
  int (*event_ended)(tenbin_host *);
  void (*uses_sql)(tenbin_host *);
} tenbin_api;

/* sysbench's names, as scripts use them through ffi.C */
typedef enum { SB_CNT_OTHER, SB_CNT_READ, SB_CNT_WRITE, SB_CNT_EVENT, SB_CNT_ERROR, SB_CNT_RECONNECT,
               SB_CNT_BYTES_READ, SB_CNT_BYTES_WRITTEN, SB_CNT_MAX, SB_CNT_TRX = 3 } sb_counter_type;
void sb_counter_inc(int, int);
void sb_counter_add(int, int, uint64_t);
uint64_t sb_counter_val(int, int);
void sb_event_start(int);
void sb_event_stop(int);
bool sb_more_events(int);
uint32_t sb_rand_default(uint32_t, uint32_t);
uint32_t sb_rand_uniform(uint32_t, uint32_t);
uint32_t sb_rand_gaussian(uint32_t, uint32_t);
uint32_t sb_rand_special(uint32_t, uint32_t);
uint32_t sb_rand_pareto(uint32_t, uint32_t);
uint32_t sb_rand_zipfian(uint32_t, uint32_t);
uint32_t sb_rand_unique(void);
uint64_t sb_rand_uniform_uint64(void);
double sb_rand_uniform_double(void);
void sb_rand_str(const char *, char *);
uint32_t sb_rand_varstr(char *, uint32_t, uint32_t);
]])

T.host = ffi.cast("tenbin_host *", T.host)
T.api = ffi.cast("const tenbin_api *", T.api)

-- Lines of the script and of ours come out in the order in which they were written.
io.stdout:setvbuf("no")

sysbench = {
   version = T.version,
   version_string = "sysbench " .. T.version,
   tid = T.tid,
   error = { NONE = 0, RESTART_EVENT = 1 },
   hooks = {},
}
thread_id = T.tid
test = T.title

-- The level of the script's own line that led here, for an error() of the caller's.
local getinfo = debug.getinfo
function T.level()
   for level = 3, 20 do
      local info = getinfo(level, "S")
      if info == nil then return 1 end
      if info.what ~= "C" and not info.source:find("^=%(sysbench") then return level - 1 end
   end
   return 1
end
