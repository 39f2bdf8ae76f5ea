//! One Lua state: installs the API, runs the script's body, calls its functions.
//!
//! The rules for unsafe access are here in one place: who may call into Lua, on which thread, and with which [`Host`].

use super::Source;
use super::api::API;
use super::coroutine_handle::CoroutineHandle;
use super::host::Host;
use super::host_shared::{HostShared, SentAs};
use super::own;
use super::settings::{ScriptOption, Type, TypedValue};
use super::symbols;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use tenbin_driver::{Connector, Error};
use tenbin_model::dsn::Scheme;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The files of the API in the order in which they build on one another.
const API_FILES: &[(&str, &str)] = &[
    ("api.lua", include_str!("lua/api.lua")),
    ("rand.lua", include_str!("lua/rand.lua")),
    ("sql.lua", include_str!("lua/sql.lua")),
    ("cmdline.lua", include_str!("lua/cmdline.lua")),
    ("report.lua", include_str!("lua/report.lua")),
    ("legacy.lua", include_str!("lua/legacy.lua")),
    ("entry.lua", include_str!("lua/entry.lua")),
    ("modules.lua", include_str!("lua/modules.lua")),
    ("waits.lua", include_str!("lua/waits.lua")),
];

/// Where modules are searched if LUA_PATH is not set: sysbench's list.
const MODULES: &str = "./?.lua;./?/init.lua;./src/lua/?.lua;~/.luarocks/share/lua/5.1/?.lua;\
    ~/.luarocks/share/lua/5.1/?/init.lua;~/.luarocks/share/lua/?.lua;~/.luarocks/share/lua/?/init.lua;\
    /usr/local/share/lua/5.1/?.lua;/usr/share/lua/5.1/?.lua;/usr/local/share/sysbench/?.lua;/usr/share/sysbench/?.lua";
const C_MODULES: &str = "./?.so;~/.luarocks/lib/lua/5.1/?.so;~/.luarocks/lib/lua/?.so;/usr/local/lib/lua/5.1/?.so;\
    /usr/lib/lua/5.1/?.so;/usr/lib/MACHINE-linux-gnu/lua/5.1/?.so";

/// The default memory limit of all states of a script together: as under sysbench, whose LuaJIT allocates
/// all of its states in the lowest 2 GiB of addresses.
const ALL_MEMORY: usize = 2 << 30;
/// Lua's words for it.
const NOT_ENOUGH: &str = "not enough memory";
/// The hint for that, for a state that may hold this many bytes.
pub(super) fn more_memory(limit: usize) -> Message {
    let twice = limit.next_power_of_two() >> 19;
    msg!("give-more-script-memory", memory = format_args!("{twice}M"))
}

/// The memory limit of a state in bytes, if this many clients have one each besides the main one.
fn share_of_memory(clients: u32) -> usize {
    (ALL_MEMORY / (clients as usize + 1)).clamp(32 << 20, 1 << 30)
}

/// What a state is for.
#[derive(Debug, Clone)]
pub(super) struct Role<'a> {
    /// This thread, and how many there are.
    pub(super) thread: (u32, u32),
    /// Whether it is the main state, which outlives all clients.
    pub(super) main: bool,
    pub(super) seed: u64,
    /// `sysbench.cmdline.command`.
    pub(super) command: Option<&'a str>,
    /// `sysbench.cmdline.argv`.
    pub(super) argv: &'a [String],
    /// The script's name as the user typed it.
    pub(super) title: &'a str,
    /// Globals to set before the body runs, for scripts for sysbench 0.5.
    pub(super) early: &'a BTreeMap<String, TypedValue>,
    /// The coroutine on which its events run, and its statements wait if the thread has other clients.
    pub(super) handle: Option<Rc<CoroutineHandle>>,
}

/// How a call into the script ended.
#[derive(Debug, Clone)]
pub(super) enum Outcome {
    Well,
    /// The event requests that no other follows.
    Leave,
    /// The event requests a restart.
    Again(Trouble),
    Failed(Trouble),
}

/// What a script threw.
#[derive(Debug, Clone)]
pub(super) struct Trouble {
    /// File, line and message.
    pub(super) message: String,
    /// The driver's error, when the last thing thrown came from a statement.
    pub(super) error: Option<Error>,
    /// The memory limit that its state has reached, in bytes.
    pub(super) full: Option<usize>,
    /// What was sent then.
    pub(super) in_flight: String,
    /// Whether that was to be prepared.
    pub(super) preparing: bool,
}

/// One state with its script.
pub(super) struct Machine {
    // Before the host: closing a state may still run the script's finalisers.
    events: mlua::Function,
    table: mlua::Table,
    interrupt: Interrupt,
    lua: mlua::Lua,
    pub(super) host: Box<Host>,
    /// What the state may hold, bytes.
    memory: usize,
}

/// States that may be stopped from another thread.
#[derive(Debug, Default)]
pub(super) struct RunningStates(Mutex<Vec<LuaState>>);

/// A state, and whether it is the main one.
#[derive(Debug, PartialEq)]
struct LuaState(*mut mlua::ffi::lua_State, bool);

// SAFETY: the address is used by `RunningStates::interrupt` alone, while its state is alive: it is taken off the list,
// under the list's lock, before the state is closed.
unsafe impl Send for LuaState {}

/// Removes a state from the list when dropped.
struct Interrupt(Arc<RunningStates>, *mut mlua::ffi::lua_State);

impl RunningStates {
    /// Makes every state, or every client's, raise an error as soon as its interpreter comes round. A loop that was
    /// compiled and calls nothing of ours does not come round.
    pub(super) fn interrupt(&self, main_too: bool) {
        let states = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for LuaState(state, _) in states.iter().filter(|s| main_too || !s.1) {
            // SAFETY: the state is alive (see `State`), and `lua_sethook` is the one function of Lua's that may be
            // called while another thread, or an interrupted one, runs the state.
            unsafe { mlua::ffi::lua_sethook(*state, Some(stopped), mlua::ffi::LUA_MASKCOUNT, 1) };
        }
    }
}

unsafe extern "C-unwind" fn stopped(state: *mut mlua::ffi::lua_State, _: *mut mlua::ffi::lua_Debug) {
    // SAFETY: called by Lua as a hook, which may raise errors; nothing of Rust's is on the stack between.
    unsafe { mlua::ffi::luaL_error(state, c"stopped".as_ptr()) };
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|s| s.0 != self.1);
    }
}

impl Machine {
    /// A state with the API in it, its script's body not yet run.
    pub(super) fn new(
        shared: &Arc<HostShared>,
        running: &Arc<RunningStates>,
        source: &Source,
        role: &Role<'_>,
    ) -> Result<Machine, Problem> {
        let mut host = Box::new(Host::new(Arc::clone(shared), role.handle.clone(), role.thread, role.seed));
        // SAFETY: scripts are the user's own programs and get all of LuaJIT, ffi and debug included, as sysbench gives
        // it. They have LuaJIT's own pcall and xpcall, which it compiles: the ones that mlua puts in their place, lest
        // they catch a panic, are C functions. `api.rs` lets no panic through.
        let lua =
            unsafe { mlua::Lua::unsafe_new_with(mlua::StdLib::ALL, mlua::LuaOptions::new().catch_rust_panics(true)) };
        let ours = |e: mlua::Error| Problem::new(msg!("lua-api-unavailable")).evidence(foreign(words(&e)));
        let table = lua.create_table().map_err(ours)?;
        let mut fill = || -> mlua::Result<()> {
            table.set("host", address(&raw mut *host))?;
            table.set("api", address((&raw const API).cast_mut()))?;
            table.set("tid", role.thread.0)?;
            table.set("command", role.command)?;
            table.set("title", role.title)?;
            table.set("driver", driver(&shared.connector))?;
            table.set("other_driver", shared.other.as_ref().map(driver))?;
            let argv = lua.create_table()?;
            argv.raw_set(0, "sysbench")?;
            for (i, word) in role.argv.iter().enumerate() {
                argv.raw_set(i + 1, word.as_str())?;
            }
            table.set("argv", argv)?;
            table.set("version", shared.version.as_str())?;
            table.set("jit", shared.jit.as_str())?;
            let modules = lua.create_table()?;
            own::MODULES.iter().try_for_each(|(name, text)| modules.set(*name, *text))?;
            table.set("modules", modules)?;
            table.set("own_modules", shared.own_modules)?;
            for (name, text) in API_FILES {
                lua.load(*text).set_name(format!("=(sysbench {name})")).call::<()>(&table)?;
            }
            let package: mlua::Table = lua.globals().get("package")?;
            package.set("path", search("LUA_PATH", MODULES, source.folder().map(|f| format!("{f}/?.lua"))))?;
            package.set("cpath", search("LUA_CPATH", &C_MODULES.replace("MACHINE", std::env::consts::ARCH), None))?;
            for (name, value) in role.early {
                lua.globals().set(name.as_str(), lua_value(&lua, value)?)?;
            }
            Ok(())
        };
        fill().map_err(ours)?;
        let events = table.get("events").map_err(ours)?;
        let mut raw = std::ptr::null_mut();
        // SAFETY: only the address is taken; no coroutine runs yet, so it is the main state's.
        unsafe { lua.exec_raw::<()>((), |state| raw = state) }.map_err(ours)?;
        running.0.lock().unwrap_or_else(PoisonError::into_inner).push(LuaState(raw, role.main));
        let interrupt = Interrupt(Arc::clone(running), raw);
        let memory = shared.memory.unwrap_or_else(|| share_of_memory(role.thread.1));
        lua.set_memory_limit(memory).map_err(ours)?;
        Ok(Machine { events, table, interrupt, lua, host, memory })
    }

    fn out_of_memory(&self) -> String {
        format!("not enough memory: its Lua state has reached its limit of {}", figure::bytes(self.memory as f64))
    }

    /// The text of a file, as Lua reads it.
    pub(super) fn text_of(&self, path: &str) -> Option<Vec<u8>> {
        let read = "local f = io.open(...) if not f then return end local text = f:read('*a') f:close() return text";
        let text: Option<mlua::LuaString> = self.lua.load(read).call(path).ok()?;
        text.map(|text| text.as_bytes().to_vec())
    }

    /// From now on the script prints nothing, and does not end the process.
    pub(super) fn mute(&self) -> mlua::Result<()> {
        self.table.get::<mlua::Function>("mute")?.call(())
    }

    /// Whether the script has loaded this module.
    pub(super) fn has_loaded(&self, module: &str) -> bool {
        let loaded = self.lua.globals().get::<mlua::Table>("package").and_then(|package| package.get("loaded"));
        loaded.is_ok_and(|loaded: mlua::Table| loaded.contains_key(module).unwrap_or(false))
    }

    /// Runs the script's body; `title` is its name as the user typed it.
    pub(super) fn run_body(&mut self, source: &Source, title: &str) -> Result<(), Problem> {
        let _ = &self.interrupt;
        // A file that Lua has found for a name gets the name, as from `require`.
        let name = |path: &str| (title != path && !Path::new(title).is_file()).then(|| title.to_owned());
        let run = |lua: &mlua::Lua| -> mlua::Result<()> {
            match source {
                Source::Text(text) => lua.load(text.as_str()).set_name("=stdin").exec(),
                Source::Module(name) => lua.globals().get::<mlua::Function>("require")?.call(name.as_str()),
                Source::File(path) => match name(path) {
                    Some(name) => loaded(lua, path)?.call::<()>(name),
                    None => loaded(lua, path)?.call::<()>(()),
                },
            }
        };
        let outcome = self.entered(|machine| run(&machine.lua));
        let stdin = matches!(source, Source::Text(_));
        let looks = self.table.set("stdin", stdin).and_then(|()| self.table.get::<mlua::Function>("looks"));
        self.host.fetches = looks.and_then(|f| f.call::<bool>(())).unwrap_or(true);
        outcome.map_err(|e| match e {
            mlua::Error::MemoryError(_) => Problem::new(msg!("script-cannot-be-run", script = source.shown()))
                .evidence(foreign(self.out_of_memory()))
                .hint(more_memory(self.memory)),
            e => cannot_be_run(source, &e),
        })
    }

    /// Runs the script's body while these texts can be read as globals; whether any was.
    pub(super) fn run_body_with(
        &mut self,
        source: &Source,
        title: &str,
        lent: &BTreeMap<String, String>,
    ) -> Result<bool, Problem> {
        let ours = |e: mlua::Error| Problem::new(msg!("lua-api-unavailable")).evidence(foreign(words(&e)));
        let taken_back = self.table.get::<mlua::Function>("lend").and_then(|f| f.call::<mlua::Function>(lent.clone()));
        let taken_back = taken_back.map_err(ours)?;
        self.run_body(source, title)?;
        taken_back.call::<bool>(()).map_err(ours)
    }

    /// What the script declares; `None` when it declares no options at all, as scripts of 0.5's age do.
    pub(super) fn declared(&self) -> mlua::Result<Option<Vec<ScriptOption>>> {
        let sysbench: mlua::Table = self.lua.globals().get("sysbench")?;
        if sysbench.get::<mlua::Table>("cmdline")?.get::<mlua::Value>("options")?.is_nil() {
            return Ok(None);
        }
        let options = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
        let into = options.clone();
        let callback = self.lua.create_function(move |_, row: (String, String, String, i64, bool)| {
            let (name, help, default, kind, has) = row;
            let kind = Type::of(kind);
            let default = match default.as_str() {
                "true" if kind == Type::Bool => "on".to_owned(),
                "false" if kind == Type::Bool => "off".to_owned(),
                _ => default,
            };
            into.borrow_mut().push(ScriptOption {
                name: name.replace('-', "_"),
                kind,
                default: has.then_some(default),
                help,
            });
            Ok(())
        })?;
        self.table.get::<mlua::Function>("options")?.call::<()>(callback)?;
        let mut all = options.take();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Some(all))
    }

    /// Its commands: name, and whether it is parallel.
    pub(super) fn commands(&self) -> mlua::Result<Vec<(String, bool)>> {
        let commands = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
        let into = commands.clone();
        let callback = self.lua.create_function(move |_, row: (String, bool)| {
            into.borrow_mut().push(row);
            Ok(())
        })?;
        self.table.get::<mlua::Function>("commands")?.call::<()>(callback)?;
        let mut all = commands.take();
        all.sort();
        Ok(all)
    }

    /// Whether the script's own check takes the value of an option, as it was typed.
    pub(super) fn validates(&mut self, name: &str, value: &str) -> Result<bool, String> {
        let check = |machine: &mut Machine| -> mlua::Result<bool> {
            machine.table.get::<mlua::Function>("validate")?.call((name, value))
        };
        self.entered(check).map_err(|e| words(&e))
    }

    /// Puts the options into `sysbench.opt`, and into globals for a script of 0.5's age.
    pub(super) fn set_options(&self, options: &BTreeMap<String, TypedValue>, export: bool) -> mlua::Result<()> {
        let all = self.lua.create_table()?;
        let global: mlua::Function = self.table.get("export")?;
        for (name, value) in options {
            all.set(name.as_str(), lua_value(&self.lua, value)?)?;
            // Lists too, as 1.0 has it.
            if export {
                global.call::<()>((name.as_str(), lua_value(&self.lua, value)?))?;
            }
        }
        self.lua.globals().get::<mlua::Table>("sysbench")?.set("opt", all)
    }

    /// Whether the script has a function of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.lua.globals().get::<mlua::Value>(name).is_ok_and(|v| v.is_function())
    }

    /// Whether the script has its own loop instead of ours.
    pub(super) fn runs_itself(&self) -> bool {
        self.table.get::<mlua::Function>("runs_itself").and_then(|f| f.call::<bool>(())).unwrap_or(false)
    }

    /// Whether it may block by other means than a statement.
    pub(super) fn stands_still(&self) -> bool {
        self.table.get::<mlua::Function>("stands_still").and_then(|f| f.call::<bool>(())).unwrap_or(true)
    }

    /// Whether it may open a connection to a database, as far as its text shows.
    pub(super) fn connects(&self) -> bool {
        self.table.get::<mlua::Function>("connects").and_then(|f| f.call::<bool>(())).unwrap_or(true)
    }

    /// Whether the script has its own report for this hook.
    pub(super) fn reports(&self, hook: &str) -> bool {
        self.table.get::<mlua::Function>("reports").and_then(|f| f.call::<bool>(hook)).unwrap_or(false)
    }

    /// Calls a report hook; `false` if there is none.
    pub(super) fn report(&mut self, hook: &str, stat: &[(&str, f64)]) -> Result<bool, String> {
        let call = |machine: &mut Machine| -> mlua::Result<bool> {
            let table = machine.lua.create_table()?;
            stat.iter().try_for_each(|(name, value)| table.set(*name, *value))?;
            machine.table.get::<mlua::Function>("report")?.call((hook, table))
        };
        self.entered(call).map_err(|e| words(&e))
    }

    /// Events one after the other, until one fails or [`Host::event_ended`] wants no more; the outcome is the last one's.
    pub(super) fn events(&mut self) -> Outcome {
        match self.entered(|machine| machine.events.call::<i32>(())) {
            Ok(0) => Outcome::Well,
            code => self.outcome(code),
        }
    }

    /// Its loop, ours or the script's own thread_run(), as work for a coroutine of this machine, which is dropped or has
    /// ended the work before the machine is dropped.
    pub(super) fn main_loop(&mut self, runs_itself: bool, came_to: Rc<Cell<Option<Outcome>>>) -> Box<dyn FnMut()> {
        let machine: *mut Machine = self;
        Box::new(move || {
            // SAFETY: the coroutine's work ends before the machine is dropped, and between its parts nothing calls into
            // this state.
            let machine = unsafe { &mut *machine };
            came_to.set(Some(if runs_itself { machine.call("call", "thread_run") } else { machine.events() }));
        })
    }

    /// Calls a function of `entry.lua` with one argument.
    pub(super) fn call(&mut self, function: &str, argument: &str) -> Outcome {
        let code = self.entered(|machine| machine.table.get::<mlua::Function>(function)?.call::<i32>(argument));
        self.outcome(code)
    }

    fn outcome(&mut self, code: mlua::Result<i32>) -> Outcome {
        let by_statement = self.table.get::<mlua::Function>("trouble").and_then(|f| f.call(())).unwrap_or(false);
        if let Ok(0 | 1) = code {
            self.host.went_on();
            return if let Ok(0) = code { Outcome::Well } else { Outcome::Leave };
        }
        self.host.thrown = false;
        // The report about a full state needs memory too.
        let _ = self.lua.set_memory_limit(0);
        let to_text = |text: mlua::LuaString| text.to_string_lossy();
        let message =
            self.table.get::<mlua::Function>("message").and_then(|f| f.call::<mlua::LuaString>(())).map(to_text);
        let message = match &code {
            Err(error) => words(error),
            Ok(_) => message.unwrap_or_else(|e| words(&e)),
        };
        let full = matches!(code, Err(mlua::Error::MemoryError(_))) || message.ends_with(NOT_ENOUGH);
        if full {
            let _ = self.lua.gc_collect();
        }
        let _ = self.lua.set_memory_limit(self.memory);
        let message = match message.as_str() {
            _ if full => self.out_of_memory(),
            "" => "an error without words was thrown".into(),
            _ => message,
        };
        let error = if by_statement { self.host.error.clone() } else { None };
        let (in_flight, preparing) = (self.host.in_flight.clone(), self.host.sent_as == SentAs::Preparing);
        let trouble = Trouble { message, error, full: full.then_some(self.memory), in_flight, preparing };
        match code {
            Ok(2) => Outcome::Again(trouble),
            _ => Outcome::Failed(trouble),
        }
    }

    /// Ends the output of reports.
    pub(super) fn finish_reports(&mut self) {
        // Nothing can handle an error anymore.
        let _ = self.entered(|machine| machine.table.get::<mlua::Function>("finish_reports")?.call::<()>(()));
    }

    /// Calls into Lua with this thread's host installed.
    fn entered<T>(&mut self, call: impl FnOnce(&mut Machine) -> T) -> T {
        let before = symbols::enter(&raw mut *self.host);
        let result = call(self);
        symbols::enter(before);
        result
    }
}

/// Whether the script's text is valid Lua. It is not run. A module is searched for only when it is run.
pub(super) fn compiles(source: &Source) -> Result<(), Problem> {
    let lua = mlua::Lua::new();
    let compiled = match source {
        Source::Module(_) => Ok(()),
        Source::Text(text) => lua.load(text.as_str()).set_name("=stdin").into_function().map(|_| ()),
        Source::File(path) => loaded(&lua, path).map(|_| ()),
    };
    compiled.map_err(|e| cannot_be_run(source, &e))
}

/// The file as a function, not yet called.
fn loaded(lua: &mlua::Lua, path: &str) -> mlua::Result<mlua::Function> {
    let load: mlua::Function = lua.globals().get("loadfile")?;
    match load.call::<(Option<mlua::Function>, Option<mlua::LuaString>)>(path)? {
        (Some(body), _) => Ok(body),
        (None, why) => Err(mlua::Error::runtime(why.map_or_else(String::new, |w| w.to_string_lossy()))),
    }
}

fn cannot_be_run(source: &Source, error: &mlua::Error) -> Problem {
    Problem::new(msg!("script-cannot-be-run", script = source.shown()))
        .evidence(foreign(words(error)))
        .hint(msg!("correct-line"))
}

fn address<T>(of: *mut T) -> mlua::LightUserData {
    mlua::LightUserData(of.cast())
}

/// sysbench's name of the database's driver.
fn driver(connector: &Connector) -> &'static str {
    match connector.dsn().scheme {
        Scheme::Sqlite => "sqlite",
        Scheme::Mysql | Scheme::Null | Scheme::Host => "mysql",
        Scheme::Postgres => "pgsql",
    }
}

/// The search path for modules.
pub(super) fn search_path() -> String {
    search("LUA_PATH", MODULES, None)
}

/// The first file of this name in a search path.
pub(super) fn required_in(templates: &str, name: &str) -> Option<PathBuf> {
    let module = name.replace('.', "/");
    let files = templates.split(';').filter(|t| t.contains('?')).map(|t| PathBuf::from(t.replace('?', &module)));
    files.into_iter().find(|path| path.is_file())
}

/// A search path: the variable's, with `;;` as the default, or the default.
fn search(variable: &str, default: &str, own: Option<String>) -> String {
    let home = std::env::var("HOME").unwrap_or_default();
    let default = default.replace('~', &home);
    let default = own.map_or(default.clone(), |own| format!("{default};{own}"));
    match std::env::var(variable) {
        Ok(value) => format!(";{value};").replace(";;", &format!(";{default};")).trim_matches(';').to_owned(),
        Err(_) => default,
    }
}

fn lua_value(lua: &mlua::Lua, value: &TypedValue) -> mlua::Result<mlua::Value> {
    use mlua::IntoLua;
    match value {
        TypedValue::Bool(b) => b.into_lua(lua),
        TypedValue::Number(n) => n.into_lua(lua),
        TypedValue::Text(t) => t.as_str().into_lua(lua),
        TypedValue::List(all) => all.clone().into_lua(lua),
        TypedValue::Nil => Ok(mlua::Value::Nil),
    }
}

/// Lua's message of an error, without the trace.
pub(super) fn words(error: &mlua::Error) -> String {
    let text = match error {
        mlua::Error::CallbackError { cause, .. } => return words(cause),
        mlua::Error::RuntimeError(text) => text.clone(),
        mlua::Error::SyntaxError { message, .. } => message.clone(),
        other => other.to_string(),
    };
    text.split("\nstack traceback:").next().unwrap_or("").to_owned()
}
