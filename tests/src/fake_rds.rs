//! An Amazon RDS of the tests' own: the Query protocol for one instance and its DB parameter group, over a real server
//! that has the parameters (and a CloudWatch without figures). A dynamic value reaches it a moment after RDS has accepted it, a static one at the reboot.
//!
//! What it refuses, and with which codes, is that of RDS; source:
//! <https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/>.

use crate::sql::{Address, query};
use crate::{FakeAws, Restarting};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::Duration;

/// Parameters that can be changed at once, with their allowed values.
const DYNAMIC: [(&str, &str); 29] = [
    ("sync_binlog", "0-4294967295"),
    ("innodb_flush_log_at_trx_commit", "0,1,2"),
    ("slow_query_log", "0,1"),
    ("binlog_format", "ROW,STATEMENT,MIXED"),
    ("table_open_cache", "1-1048576"),
    ("thread_cache_size", "0-16384"),
    ("sort_buffer_size", "32768-18446744073709551615"),
    ("join_buffer_size", "128-18446744073709547520"),
    ("read_buffer_size", "8192-2147479552"),
    ("read_rnd_buffer_size", "1-2147483647"),
    ("tmp_table_size", "1024-18446744073709551615"),
    ("max_heap_table_size", "16384-18446744073709550592"),
    ("net_read_timeout", "1-31536000"),
    ("net_write_timeout", "1-31536000"),
    ("wait_timeout", "1-31536000"),
    ("interactive_timeout", "1-31536000"),
    ("connect_timeout", "2-31536000"),
    ("long_query_time", "0-31536000"),
    ("lock_wait_timeout", "1-31536000"),
    ("innodb_lock_wait_timeout", "1-1073741824"),
    ("max_connect_errors", "1-9223372036854775807"),
    ("max_error_count", "0-65535"),
    ("slow_launch_time", "0-31536000"),
    ("net_retry_count", "1-4294967295"),
    ("bulk_insert_buffer_size", "0-18446744073709551615"),
    ("group_concat_max_len", "4-18446744073709551615"),
    ("max_length_for_sort_data", "4-8388608"),
    ("innodb_old_blocks_time", "0-4294967295"),
    ("innodb_io_capacity", "100-18446744073709551615"),
];
/// Those that need a reboot. RDS does not say what the last one takes.
const STATIC: [(&str, &str); 3] =
    [("innodb_read_io_threads", "1-64"), ("innodb_write_io_threads", "1-64"), ("innodb_page_size", "")];

/// A parameter of the group.
#[derive(Debug, Clone)]
struct FakeParameter {
    own: Option<String>,
    /// The value of the server when the test began.
    of_engine: String,
    is_dynamic: bool,
    is_modifiable: bool,
    allowed: &'static str,
}

/// What the imitation does wrong.
#[derive(Debug, Clone, Default)]
pub struct FakeRdsFaults {
    /// Actions that are refused, with the status and the code.
    pub refused: Vec<(&'static str, u16, &'static str)>,
    /// Accepted values do not reach the server.
    pub values_are_lost: bool,
    /// The group remains in the state `applying`.
    pub keeps_applying: bool,
    /// A reboot does not end.
    pub stays_down: bool,
}

/// The state of the instance and its group.
#[derive(Debug)]
struct FakeState {
    group: String,
    status: &'static str,
    apply_status: &'static str,
    /// Other instances with the same group.
    others: Vec<String>,
    parameters: BTreeMap<String, FakeParameter>,
    faults: FakeRdsFaults,
    /// Changes of dynamic parameters that have not reached the server.
    under_way: usize,
    /// Whether a static parameter was changed since the last reboot.
    waits_for_reboot: bool,
    /// Names of the actions that changed something.
    changes: Vec<String>,
    /// Reboots that have ended.
    reboots: usize,
}

/// The instance `db-1` with the parameter group `own`.
pub struct FakeRds {
    server: Arc<Restarting>,
    state: Arc<Mutex<FakeState>>,
    aws: FakeAws,
}

impl FakeRds {
    /// Puts a server into the care of an imitation.
    pub fn of(server: Restarting) -> FakeRds {
        let parameter = |row: Vec<String>| {
            let name = row[0].to_lowercase();
            let known = |list: &'static [(&'static str, &'static str)]| list.iter().find(|(known, _)| *known == name);
            let (dynamic, fixed) = (known(&DYNAMIC), known(&STATIC));
            let kept = FakeParameter {
                own: None,
                of_engine: row[1].clone(),
                is_dynamic: fixed.is_none(),
                is_modifiable: dynamic.or(fixed).is_some(),
                allowed: dynamic.or(fixed).map_or("", |(_, allowed)| allowed),
            };
            (name, kept)
        };
        let state = FakeState {
            group: "own".into(),
            status: "available",
            apply_status: "in-sync",
            others: Vec::new(),
            parameters: query(&server, "SHOW GLOBAL VARIABLES").into_iter().map(parameter).collect(),
            faults: FakeRdsFaults::default(),
            under_way: 0,
            waits_for_reboot: false,
            changes: Vec::new(),
            reboots: 0,
        };
        let (server, state) = (Arc::new(server), Arc::new(Mutex::new(state)));
        let aws = {
            let (server, state) = (server.clone(), state.clone());
            FakeAws::start(move |request| answer(request, &server, &state))
        };
        FakeRds { server, state, aws }
    }

    /// The lines of a target in a plan: its address there, and how variables are set.
    pub fn target(&self) -> String {
        let endpoint = self.aws.endpoint();
        format!(
            "cloud = {{ rds = \"db-1\", region = \"ap-northeast-1\", endpoint = {endpoint:?}, wait = \"0s\" }}\n\
             apply = \"parameter-group\""
        )
    }

    /// The address of the imitation.
    pub fn endpoint(&self) -> String {
        self.aws.endpoint()
    }

    /// The value that a user has given a parameter.
    pub fn own(&self, name: &str) -> Option<String> {
        locked(&self.state).parameters[name].own.clone()
    }

    /// Gives a parameter a value, as its user did long ago.
    pub fn set_own(&self, name: &str, value: &str) {
        let mut state = locked(&self.state);
        let parameter = state.parameters.get_mut(name).expect("a parameter");
        assert!(parameter.is_dynamic);
        parameter.own = Some(value.to_owned());
        query(&*self.server, &format!("SET GLOBAL {name} = {value}"));
    }

    /// Names the group, and other instances that use it; and the state in which its values are.
    pub fn set_group(&self, group: &str, others: &[&str], apply_status: &'static str) {
        let mut state = locked(&self.state);
        state.group = group.to_owned();
        state.others = others.iter().map(|name| (*name).to_owned()).collect();
        state.apply_status = apply_status;
    }

    /// From now on it does this wrong.
    pub fn set_faults(&self, faults: FakeRdsFaults) {
        let mut state = locked(&self.state);
        if state.faults.stays_down && !faults.stays_down {
            state.status = "available";
        }
        if state.faults.keeps_applying && !faults.keeps_applying {
            state.apply_status = "in-sync";
        }
        state.faults = faults;
    }

    /// The actions that changed something, in their order.
    pub fn changes(&self) -> Vec<String> {
        locked(&self.state).changes.clone()
    }

    /// How often it was rebooted.
    pub fn reboots(&self) -> usize {
        locked(&self.state).reboots
    }

    /// The state of the instance and of its group.
    pub fn status(&self) -> (&'static str, &'static str) {
        let state = locked(&self.state);
        (state.status, state.apply_status)
    }
}

impl Address for FakeRds {
    fn dsn(&self) -> String {
        self.server.dsn()
    }
}

fn locked(state: &Mutex<FakeState>) -> MutexGuard<'_, FakeState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

type Form = BTreeMap<String, String>;

fn answer(request: &str, server: &Arc<Restarting>, shared: &Arc<Mutex<FakeState>>) -> (u16, String) {
    let body = request.rsplit("\r\n\r\n").next().unwrap_or_default();
    if !request.contains("AWS4-HMAC-SHA256 Credential=") {
        return (403, FakeAws::refusal("MissingAuthenticationToken", "Request is missing Authentication Token"));
    }
    if request.contains("x-amz-target: GraniteServiceVersion20100801.GetMetricData") {
        return (200, r#"{"MetricDataResults": [], "Messages": []}"#.to_owned());
    }
    let form: Form =
        body.split('&').filter_map(|field| field.split_once('=')).map(|(n, v)| (plain(n), plain(v))).collect();
    let action = form.get("Action").cloned().unwrap_or_default();
    let mut state = locked(shared);
    if let Some((_, status, code)) = state.faults.refused.iter().find(|(refused, ..)| *refused == action) {
        return (*status, FakeAws::refusal(code, &format!("{action} is refused")));
    }
    let group = form.get("DBParameterGroupName");
    if group.is_some_and(|group| *group != state.group) {
        return (404, FakeAws::refusal("DBParameterGroupNotFound", "DBParameterGroup not found"));
    }
    if form.get("DBInstanceIdentifier").is_some_and(|name| name != "db-1") {
        return (404, FakeAws::refusal("DBInstanceNotFound", "DBInstance not found"));
    }
    let done = match action.as_str() {
        "DescribeDBInstances" => Ok(instances(&state, form.contains_key("DBInstanceIdentifier"))),
        "DescribeDBParameters" => Ok(parameters(&state, &form)),
        "ModifyDBParameterGroup" | "ResetDBParameterGroup" => {
            let changed = change(&mut state, &form, action.starts_with("Reset"));
            changed.inspect(|_| {
                take_effect(&mut state, server, shared);
                wait_for_reboot(&state, shared);
            })
        }
        "RebootDBInstance" => reboot(&mut state, server, shared),
        _ => Err(("InvalidAction", "no such action".to_owned())),
    };
    match done {
        Ok(result) => {
            if !action.starts_with("Describe") {
                state.changes.push(action.clone());
            }
            let space = "http://rds.amazonaws.com/doc/2014-10-31/";
            (
                200,
                format!(
                    "<{action}Response xmlns=\"{space}\"><{action}Result>{result}</{action}Result></{action}Response>"
                ),
            )
        }
        Err((code, text)) => (400, FakeAws::refusal(code, &text)),
    }
}

/// What a form says, RFC 3986.
fn plain(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        let code =
            std::str::from_utf8(more.get(..2).unwrap_or_default()).ok().and_then(|c| u8::from_str_radix(c, 16).ok());
        match (*first, code) {
            (b'%', Some(byte)) => (bytes.push(byte), rest = &more[2..]).1,
            _ => (bytes.push(*first), rest = more).1,
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn instances(state: &FakeState, one: bool) -> String {
    let instance = |name: &str, status: &str| {
        format!(
            "<DBInstance><DBInstanceIdentifier>{name}</DBInstanceIdentifier><DBInstanceStatus>{status}</DBInstanceStatus>\
             <DBInstanceClass>db.r5.large</DBInstanceClass><Engine>mysql</Engine><EngineVersion>8.0.31</EngineVersion>\
             <Endpoint><Address>127.0.0.1</Address><Port>3306</Port></Endpoint><DBParameterGroups><DBParameterGroup>\
             <DBParameterGroupName>{}</DBParameterGroupName><ParameterApplyStatus>{}</ParameterApplyStatus>\
             </DBParameterGroup></DBParameterGroups></DBInstance>",
            state.group, state.apply_status
        )
    };
    let others = state.others.iter().filter(|_| !one).map(|name| instance(name, "available"));
    let all: String = std::iter::once(instance("db-1", state.status)).chain(others).collect();
    format!("<DBInstances>{all}</DBInstances>")
}

/// One page, as many as were asked for.
fn parameters(state: &FakeState, form: &Form) -> String {
    let number = |name: &str, otherwise| form.get(name).and_then(|text| text.parse().ok()).unwrap_or(otherwise);
    let (most, from): (usize, usize) = (number("MaxRecords", 100).min(100), number("Marker", 0));
    let mut text = "<Parameters>".to_owned();
    for (name, parameter) in state.parameters.iter().skip(from).take(most) {
        let value = parameter.own.as_ref().map(|value| format!("<ParameterValue>{value}</ParameterValue>"));
        let _ = write!(
            text,
            "<Parameter><ParameterName>{name}</ParameterName>{}<Source>{}</Source><ApplyType>{}</ApplyType>\
             <IsModifiable>{}</IsModifiable><AllowedValues>{}</AllowedValues></Parameter>",
            value.unwrap_or_default(),
            if parameter.own.is_some() { "user" } else { "engine-default" },
            if parameter.is_dynamic { "dynamic" } else { "static" },
            parameter.is_modifiable,
            parameter.allowed
        );
    }
    text += "</Parameters>";
    if from + most < state.parameters.len() {
        let _ = write!(text, "<Marker>{}</Marker>", from + most);
    }
    text
}

type Refusal = (&'static str, String);

/// All of it, or nothing.
fn change(state: &mut FakeState, form: &Form, reset: bool) -> Result<String, Refusal> {
    let invalid = |text: String| Err(("InvalidParameterValue", text));
    if state.group.starts_with("default.") {
        return Err(("InvalidDBParameterGroupState", "default groups cannot be modified".into()));
    }
    let field = |n: usize, name: &str| form.get(&format!("Parameters.Parameter.{n}.{name}"));
    let given: Vec<usize> = (1..).take_while(|n| field(*n, "ParameterName").is_some()).collect();
    if given.is_empty() || given.len() > 20 {
        return invalid(format!("{} parameters: between 1 and 20 are permitted", given.len()));
    }
    let mut after = state.parameters.clone();
    for n in given {
        let (name, method) = (field(n, "ParameterName").cloned().unwrap_or_default(), field(n, "ApplyMethod"));
        let value = field(n, "ParameterValue").cloned();
        let Some(parameter) = after.get_mut(&name) else {
            return invalid(format!("Could not find parameter with name: {name}"));
        };
        if !parameter.is_modifiable {
            return invalid(format!("The parameter {name} cannot be modified"));
        }
        if !parameter.is_dynamic && method.is_some_and(|method| method == "immediate") {
            let text = format!("cannot use immediate apply method for static parameter {name}");
            return Err(("InvalidParameterCombination", text));
        }
        match value {
            None if reset => parameter.own = None,
            Some(value) if !reset && is_allowed(parameter.allowed, &value) => parameter.own = Some(value),
            value => {
                return invalid(format!(
                    "Invalid parameter value: {value:?} for: {name} allowed values are: {}",
                    parameter.allowed
                ));
            }
        }
        if !parameter.is_dynamic {
            state.waits_for_reboot = true;
        }
    }
    state.parameters = after;
    Ok(format!("<DBParameterGroupName>{}</DBParameterGroupName>", state.group))
}

/// Ranges and words, as far as the parameters above have them.
fn is_allowed(allowed: &str, value: &str) -> bool {
    let in_range = |item: &str| {
        let (from, to) = item.split_once('-')?;
        let [from, to, value]: [f64; 3] = [from.parse().ok()?, to.parse().ok()?, value.parse().ok()?];
        Some((from..=to).contains(&value))
    };
    allowed.is_empty() || allowed.split(',').any(|item| item == value || in_range(item) == Some(true))
}

/// Lets dynamic values reach the server, not at once: for a moment nothing is seen of it.
fn take_effect(state: &mut FakeState, server: &Arc<Restarting>, shared: &Arc<Mutex<FakeState>>) {
    if state.faults.keeps_applying {
        state.apply_status = "applying";
    }
    if state.faults.values_are_lost || state.status != "available" {
        return;
    }
    state.under_way += 1;
    let (server, shared) = (server.clone(), shared.clone());
    std::thread::spawn(move || {
        sleep(Duration::from_millis(100));
        locked(&shared).apply_status = "applying";
        sleep(Duration::from_millis(200));
        let mut state = locked(&shared);
        for (name, parameter) in state.parameters.iter().filter(|(_, p)| p.is_dynamic && p.is_modifiable) {
            let value = parameter.own.as_ref().unwrap_or(&parameter.of_engine);
            let number = value.parse::<f64>().is_ok();
            let value = if number { value.clone() } else { format!("'{value}'") };
            query(&*server, &format!("SET GLOBAL {name} = {value}"));
        }
        state.under_way -= 1;
        if state.under_way == 0 {
            state.apply_status = if state.waits_for_reboot { "pending-reboot" } else { "in-sync" };
        }
    });
}

/// That a static value waits for a reboot is shown only after a moment.
fn wait_for_reboot(state: &FakeState, shared: &Arc<Mutex<FakeState>>) {
    if !state.waits_for_reboot {
        return;
    }
    let shared = shared.clone();
    std::thread::spawn(move || {
        sleep(Duration::from_secs(6));
        let mut state = locked(&shared);
        if state.waits_for_reboot && state.apply_status == "in-sync" {
            state.apply_status = "pending-reboot";
        }
    });
}

/// The state before is shown for a moment.
fn reboot(state: &mut FakeState, server: &Arc<Restarting>, shared: &Arc<Mutex<FakeState>>) -> Result<String, Refusal> {
    if !["available", "incompatible-parameters"].contains(&state.status) {
        return Err(("InvalidDBInstanceState", format!("Instance db-1 is not in available state: {}", state.status)));
    }
    let (server, shared) = (server.clone(), shared.clone());
    std::thread::spawn(move || {
        sleep(Duration::from_millis(300));
        let mut text = "[mysqld]\n".to_owned();
        {
            let mut state = locked(&shared);
            state.status = "rebooting";
            if state.faults.stays_down {
                return;
            }
            for (name, parameter) in state.parameters.iter().filter(|_| !state.faults.values_are_lost) {
                let own = parameter.own.as_ref();
                let _ = own.map(|value| writeln!(text, "{name} = {value}"));
            }
        }
        std::fs::write(server.option_file(), text).expect("its directory can be written");
        let done = Command::new("sh").args(["-c", &server.command()]).output().expect("sh starts");
        let mut state = locked(&shared);
        state.status = if done.status.success() { "available" } else { "incompatible-parameters" };
        if done.status.success() {
            (state.apply_status, state.waits_for_reboot) = ("in-sync", false);
        }
        state.reboots += 1;
    });
    Ok("<DBInstance/>".to_owned())
}
