//! Settings of an instance of Amazon RDS: its DB parameter group is changed, the instance rebooted if a parameter needs
//! it, and waited for until the server itself has the values.

use super::journal::{FormerValue, JournalText, ManagedGroup};
use super::{Present, asking, mysql};
use crate::cloud::parameters::{self, ParameterChange, RdsParameter};
use crate::cloud::{self, AwsClient, BUSY, RdsInstance};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tenbin_driver::Connector;
use tenbin_model::event::Severity;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::ParameterGroupAccess;
use tenbin_model::variables::{canonical_name, has_value, in_bytes, is_whole};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::nearest::nearest;
use tenbin_words::problem::Problem;

/// The first and the longest pause between two looks at the instance: AWS limits the requests of an account.
const LOOK: Duration = Duration::from_millis(200);
const LONGEST_LOOK: Duration = Duration::from_secs(10);
/// How long a dynamic value may take to reach the server after RDS says that it is in effect.
const EFFECT: Duration = Duration::from_secs(30);
/// How long a server must be up before its reboot.
const LEAST_UPTIME_S: u64 = 3;
/// In these states an instance will be available by itself.
const UNDER_WAY: [&str; 5] = ["rebooting", "modifying", "starting", "upgrading", "maintenance"];

/// The parameter group of an instance.
pub struct ParameterGroup<'a> {
    access: &'a ParameterGroupAccess,
    client: AwsClient,
    /// Which it is.
    pub at: ManagedGroup,
    /// Its parameters by the names of the server's variables.
    parameters: BTreeMap<String, RdsParameter>,
}

impl<'a> ParameterGroup<'a> {
    /// Finds the group of the instance. Fails if it cannot be changed: RDS refuses it, other instances use it, or values
    /// that others have given it are waiting for a reboot.
    ///
    /// `ours`: values may be waiting because a run of ours was interrupted, which is put right first.
    pub fn find(access: &'a ParameterGroupAccess, ours: bool, stop: &StopSignal) -> Result<Self, Problem> {
        let mut client = AwsClient::new(&access.cloud, stop)?;
        let there = cloud::look(&mut client)?.instance;
        let Some((group, state)) = there.parameter_groups.first().cloned() else {
            return Err(Problem::new(msg!("cloud-has-no-group", name = there.name)).hint(shown(access, &there.name)));
        };
        let name = &there.name;
        if let Some(family) = group.strip_prefix("default.") {
            let own = format!("{name}-parameters");
            let commands = [
                format!(
                    "rds create-db-parameter-group --db-parameter-group-name {own} --db-parameter-group-family {family} \
                     --description {own}"
                ),
                format!(
                    "rds modify-db-instance --db-instance-identifier {name} --db-parameter-group-name {own} --apply-immediately"
                ),
                format!("rds wait db-instance-available --db-instance-identifier {name}"),
                format!("rds reboot-db-instance --db-instance-identifier {name}"),
            ];
            let commands = commands.map(|rest| access.cloud.command(&rest)).join(" && ");
            let what = msg!("cloud-group-is-default", group, name);
            return Err(Problem::new(what).evidence(msg!("cloud-default-group-fixed")).hint(foreign(commands)));
        }
        if state != "in-sync" && !ours {
            let rest = format!("rds reboot-db-instance --db-instance-identifier {name}");
            let problem = Problem::new(msg!("cloud-parameters-not-in-force", group, name));
            let problem = problem.evidence(msg!("cloud-parameters-status", status = state));
            return Err(problem.hint(foreign(access.cloud.command(&rest))));
        }
        if !access.may_be_shared {
            let mut others = parameters::users(&mut client, &group)?;
            others.retain(|other| other != name);
            if !others.is_empty() {
                let what = msg!("cloud-group-is-shared", group, name);
                let evidence = msg!("cloud-group-users", names = others.join(", "));
                return Err(Problem::new(what).evidence(evidence).hint(msg!(
                    "write-key",
                    key = "allow",
                    value = "[\"change-shared-group\"]"
                )));
            }
        }
        ParameterGroup::named(access, client, ManagedGroup { instance: there.name, group })
    }

    fn named(access: &'a ParameterGroupAccess, mut client: AwsClient, at: ManagedGroup) -> Result<Self, Problem> {
        let all = parameters::parameters(&mut client, &at.group)?;
        let parameters = all.into_iter().map(|parameter| (canonical_name(&parameter.name), parameter)).collect();
        Ok(ParameterGroup { access, client, at, parameters })
    }

    /// Why RDS would not take one of these values of a variable; `None` if it would.
    pub fn refusal(&self, variable: &str, values: &[String]) -> Option<Problem> {
        let ManagedGroup { group, instance } = &self.at;
        let Some(parameter) = self.parameters.get(variable) else {
            let problem = Problem::new(msg!("cloud-group-has-no-parameter", group, variable));
            let near = nearest(variable, self.parameters.keys().map(String::as_str));
            return Some(match near {
                Some(nearest) => problem.hint(msg!("did-you-mean", nearest)),
                None => problem.hint(self.listed()),
            });
        };
        if !parameter.is_modifiable {
            let problem = Problem::new(msg!("cloud-parameter-fixed", variable));
            return Some(problem.hint(msg!("remove-option", option = variable)));
        }
        if let Some(value) = values.iter().find(|value| !takes(&parameter.allowed, &written(value, &parameter.allowed)))
        {
            let problem = Problem::new(msg!("cloud-value-not-allowed", variable, value));
            let evidence = msg!("cloud-allowed-values", allowed = parameter.allowed);
            return Some(problem.evidence(evidence).hint(msg!("give-allowed-value", variable)));
        }
        (!parameter.is_dynamic && !self.access.may_reboot).then(|| {
            let problem = Problem::new(msg!("cloud-parameter-needs-reboot", variable, name = instance));
            problem.evidence(msg!("cloud-parameter-is-static", group)).hint(msg!(
                "write-key",
                key = "allow",
                value = "[\"reboot-instance\"]"
            ))
        })
    }

    /// The values that the user has given, by variable.
    pub fn stored(&self) -> BTreeMap<String, String> {
        let own = |(name, parameter): (&String, &RdsParameter)| Some((name.clone(), parameter.own.clone()?));
        self.parameters.iter().filter_map(own).collect()
    }

    /// Gives parameters these values, takes those back that are `gone`, and waits until all are in effect.
    pub fn bring(
        &mut self,
        connector: &Connector,
        wanted: &BTreeMap<String, String>,
        gone: &BTreeMap<String, FormerValue>,
        stop: &StopSignal,
    ) -> Result<Vec<(Severity, Problem)>, Problem> {
        for (name, value) in wanted {
            if let Some(problem) = self.refusal(name, std::slice::from_ref(value)) {
                return Err(problem);
            }
        }
        let mut aims: BTreeMap<String, Aim> = BTreeMap::new();
        let back = |former: &FormerValue| Aim { of_group: former.stored.clone(), of_server: former.value.clone() };
        aims.extend(gone.iter().map(|(name, former)| (name.clone(), back(former))));
        for (name, value) in wanted {
            let allowed = self.parameters.get(name).map(|parameter| parameter.allowed.clone()).unwrap_or_default();
            let of_group = Some(written(value, &allowed));
            aims.insert(name.clone(), Aim { of_group, of_server: value.clone() });
        }
        // A parameter whose value the server has already needs no change, and no reboot.
        let present = asking(connector, async |c| mysql::present(c).await)?;
        aims.retain(|name, aim| gone.contains_key(name) || !aim.is_reached(name, &present));
        let start = Instant::now();
        let rebooted = self.reach(connector, &aims, &present, false, stop)?;
        let ManagedGroup { instance, group } = &self.at;
        let mut notes = Vec::new();
        if !aims.is_empty() {
            notes.push(msg!("cloud-group-changed", group, name = instance));
        }
        if rebooted {
            let seconds = format!("{:.0}", start.elapsed().as_secs_f64());
            notes.push(msg!("cloud-instance-rebooted", name = instance, seconds));
        }
        Ok(notes.into_iter().map(|note| (Severity::Info, Problem::new(note))).collect())
    }

    /// Returns whether the instance was rebooted. `is_undone`: these are the former values, and something may have been left
    /// in the middle.
    fn reach(
        &mut self,
        connector: &Connector,
        aims: &BTreeMap<String, Aim>,
        present: &BTreeMap<String, Present>,
        is_undone: bool,
        stop: &StopSignal,
    ) -> Result<bool, Problem> {
        let mut changes = Vec::new();
        let mut reboot = false;
        for (variable, aim) in aims {
            let Some(RdsParameter { name, own, is_dynamic, .. }) = self.parameters.get(variable) else {
                return Err(Problem::new(msg!("cloud-group-has-no-parameter", group = self.at.group, variable))
                    .hint(self.listed()));
            };
            let is_new = *own != aim.of_group;
            reboot |= !is_dynamic && (is_new || !aim.is_reached(variable, present));
            if is_new {
                changes.push(ParameterChange {
                    name: name.clone(),
                    value: aim.of_group.clone(),
                    is_dynamic: *is_dynamic,
                });
            }
        }
        if is_undone {
            // Whatever was begun must have ended. No value of others waits for a reboot: it was made sure beforehand.
            self.wait(stop, &mut |group| group.idle())?;
            let there = cloud::instance(&mut self.client, &self.at.instance)?;
            let state = there.parameter_groups.iter().find(|(group, _)| *group == self.at.group);
            let mut parameters = aims.keys().filter_map(|name| self.parameters.get(name));
            let is_pending = state.is_some_and(|(_, state)| state == "pending-reboot");
            reboot |= is_pending && parameters.any(|parameter| !parameter.is_dynamic);
        } else if changes.is_empty() && !reboot && aims.iter().all(|(name, aim)| aim.is_reached(name, present)) {
            return Ok(false);
        }
        parameters::change(&mut self.client, &self.at.group, &changes)?;
        for change in changes {
            if let Some(parameter) = self.parameters.get_mut(&canonical_name(&change.name)) {
                parameter.own = change.value;
            }
        }
        let begun = if reboot {
            self.wait(stop, &mut |group| group.idle())?;
            let former_status = cloud::instance(&mut self.client, &self.at.instance)?.status;
            let uptime = self.uptime_before(connector);
            let at = Instant::now();
            parameters::reboot(&mut self.client, &self.at.instance)?;
            Some(Reboot { at, former_status, uptime })
        } else {
            None
        };
        let mut ready = None;
        self.wait(stop, &mut |group| group.missing(connector, aims, begun.as_ref(), &mut ready))?;
        Ok(reboot)
    }

    /// Looks until nothing is missing; fails with what is missing when the time is over.
    fn wait(
        &mut self,
        stop: &StopSignal,
        look: &mut dyn FnMut(&mut Self) -> Result<Option<Problem>, Problem>,
    ) -> Result<(), Problem> {
        let (since, mut pause) = (Instant::now(), LOOK);
        loop {
            let missing = match look(self) {
                Ok(None) => return Ok(()),
                Ok(Some(missing)) => missing,
                // AWS is busy: the instance goes on.
                Err(problem) if ["cloud-throttled", "cloud-not-reached"].map(Some).contains(&problem.code()) => problem,
                Err(problem) => return Err(problem),
            };
            if stop.asked() {
                return Err(missing);
            }
            if since.elapsed() > Duration::from_millis(self.access.timeout_ms) {
                let seconds = since.elapsed().as_secs();
                let evidence = missing.evidence.into_iter().chain([msg!("cloud-waited", seconds)]);
                let hint = missing.hint.unwrap_or_else(|| shown(self.access, &self.at.instance));
                return Err(Problem::new(missing.what).evidence(Message::joined(evidence, "\n")).hint(hint));
            }
            self.client.pause(pause);
            pause = (pause * 3 / 2).min(LONGEST_LOOK);
        }
    }

    /// The instance, if its state is one that ends by itself, or that of before a reboot; the state of the group as a second.
    fn instance(&mut self, reboot: Option<&Reboot>) -> Result<(RdsInstance, String), Problem> {
        let there = cloud::instance(&mut self.client, &self.at.instance)?;
        let RdsInstance { name, status, .. } = &there;
        let is_former = reboot.is_some_and(|reboot| reboot.at.elapsed() < EFFECT && reboot.former_status == *status);
        if !(is_former || serves(status) || UNDER_WAY.contains(&status.as_str()) || status.starts_with("configuring-"))
        {
            let problem = Problem::new(msg!("cloud-instance-not-available", name));
            return Err(problem.evidence(msg!("cloud-instance-status", status)).hint(self.events()));
        }
        let group = there.parameter_groups.iter().find(|(group, _)| *group == self.at.group);
        let Some((_, state)) = group.cloned() else {
            let problem = Problem::new(msg!("cloud-group-replaced", name, group = self.at.group));
            return Err(problem.hint(shown(self.access, name)));
        };
        Ok((there, state))
    }

    /// Why a reboot cannot be requested yet. In `incompatible-parameters` it is what ends that state.
    fn idle(&mut self) -> Result<Option<Problem>, Problem> {
        let there = cloud::instance(&mut self.client, &self.at.instance)?;
        let busy = UNDER_WAY.contains(&there.status.as_str());
        Ok(busy.then(|| self.not_available(&there)))
    }

    /// What is not as it should be; `ready`: since when RDS says that it is.
    fn missing(
        &mut self,
        connector: &Connector,
        aims: &BTreeMap<String, Aim>,
        reboot: Option<&Reboot>,
        ready: &mut Option<Instant>,
    ) -> Result<Option<Problem>, Problem> {
        let (there, state) = self.instance(reboot)?;
        if !serves(&there.status) {
            *ready = None;
            return Ok(Some(self.not_available(&there)));
        }
        if state == "applying" || (reboot.is_some() && state != "in-sync") {
            *ready = None;
            let ManagedGroup { instance, group } = &self.at;
            let problem = Problem::new(msg!("cloud-parameters-not-in-force", group, name = instance));
            return Ok(Some(problem.evidence(msg!("cloud-parameters-status", status = state)).hint(self.events())));
        }
        let looked = Instant::now();
        let answer = asking(connector, async |c| {
            let present = mysql::present(c).await?;
            let uptime = mysql::uptime_s(c).await?;
            if aims.iter().all(|(name, aim)| aim.is_reached(name, &present)) {
                mysql::wait(c, &StopSignal::new()).await?;
            }
            Ok((present, uptime))
        });
        let (present, uptime) = match answer {
            Ok(answer) => answer,
            Err(problem) => return Ok(Some(problem)),
        };
        // The state of before the reboot is shown until the reboot begins.
        if reboot.is_some_and(|reboot| !reboot.is_seen(uptime, looked)) {
            return Ok(Some(self.not_rebooted()));
        }
        let reached = aims.iter().all(|(name, aim)| aim.is_reached(name, &present));
        let late = ready.get_or_insert_with(Instant::now).elapsed() > EFFECT;
        if reached || reboot.is_some() || late {
            // What did not come, or was adjusted, is found by the comparison that follows.
            return Ok(None);
        }
        let ManagedGroup { instance, group } = &self.at;
        Ok(Some(Problem::new(msg!("cloud-parameters-not-in-force", group, name = instance)).hint(self.events())))
    }

    /// How long the server is up before a reboot. It must be some seconds, so that the time after it is certainly shorter.
    fn uptime_before(&self, connector: &Connector) -> Option<(Instant, u64)> {
        for _ in 0..25 {
            let uptime_s = asking(connector, async |c| mysql::uptime_s(c).await).ok()?;
            if uptime_s >= LEAST_UPTIME_S {
                return Some((Instant::now(), uptime_s));
            }
            std::thread::sleep(LOOK);
        }
        None
    }

    fn not_available(&self, there: &RdsInstance) -> Problem {
        let problem = Problem::new(msg!("cloud-instance-not-available", name = there.name));
        problem.evidence(msg!("cloud-instance-status", status = there.status)).hint(self.events())
    }

    fn not_rebooted(&self) -> Problem {
        Problem::new(msg!("cloud-instance-not-rebooted", name = self.at.instance)).hint(self.events())
    }

    /// The command that shows what RDS has done with the instance.
    fn events(&self) -> Message {
        let rest = format!(
            "rds describe-events --source-type db-instance --source-identifier {} --duration 60",
            self.at.instance
        );
        foreign(self.access.cloud.command(&rest))
    }

    fn listed(&self) -> Message {
        let rest = format!("rds describe-db-parameters --db-parameter-group-name {}", self.at.group);
        foreign(self.access.cloud.command(&rest))
    }
}

/// Puts the former values back into the group of a journal.
pub fn undo(
    access: &ParameterGroupAccess,
    at: &ManagedGroup,
    former: &BTreeMap<String, FormerValue>,
    connector: &Connector,
) -> Result<(), Problem> {
    // It was changed, and is put back after a stop was requested too.
    let stop = StopSignal::new();
    let mut group = ParameterGroup::named(access, AwsClient::new(&access.cloud, &stop)?, at.clone())?;
    let aim = |former: &FormerValue| Aim { of_group: former.stored.clone(), of_server: former.value.clone() };
    let aims: BTreeMap<String, Aim> = former.iter().map(|(name, former)| (name.clone(), aim(former))).collect();
    // A server that does not answer may be one that a value keeps from starting.
    let present = asking(connector, async |c| mysql::present(c).await).unwrap_or_default();
    group.reach(connector, &aims, &present, true, &stop).map(drop)
}

/// Parameters that have neither their former value in the group nor one that was set for the run, with their values there: somebody
/// else has changed them.
pub fn changed_by_others(
    access: &ParameterGroupAccess,
    at: &ManagedGroup,
    text: &JournalText,
) -> Result<BTreeMap<String, String>, Problem> {
    if text.ours.is_empty() {
        return Ok(BTreeMap::new());
    }
    let group = ParameterGroup::named(access, AwsClient::new(&access.cloud, &StopSignal::new())?, at.clone())?;
    let of_others = |(name, former): (&String, &FormerValue)| {
        let (ours, parameter) = (text.ours.get(name)?, group.parameters.get(name)?);
        let is_ours = |own: &String| {
            ours.values.iter().any(|value| *own == written(value, &parameter.allowed) || is_whole(value, own))
        };
        let is_known = parameter.own == former.stored || parameter.own.as_ref().is_some_and(is_ours);
        (!is_known).then(|| (name.clone(), parameter.own.clone().unwrap_or_else(|| OF_ENGINE.to_owned())))
    };
    Ok(text.former.iter().filter_map(of_others).collect())
}

/// What a parameter has that was reset.
const OF_ENGINE: &str = "DEFAULT";

/// A reboot that was requested.
#[derive(Debug)]
struct Reboot {
    at: Instant,
    /// The state of the instance before, which it still shows for a moment.
    former_status: String,
    /// When the server had said before for how many seconds it is up; `None` if it did not answer.
    uptime: Option<(Instant, u64)>,
}

impl Reboot {
    /// Whether the server, asked then, has been up for less time than if it had gone on.
    fn is_seen(&self, uptime_s: u64, looked: Instant) -> bool {
        self.uptime.is_none_or(|(at, before_s)| uptime_s < before_s + looked.duration_since(at).as_secs())
    }
}

/// What a parameter should become.
#[derive(Debug)]
struct Aim {
    /// Its value in the group; `None`: none of the user's.
    of_group: Option<String>,
    /// What the server should show.
    of_server: String,
}

impl Aim {
    fn is_reached(&self, name: &str, present: &BTreeMap<String, Present>) -> bool {
        present.get(name).is_some_and(|now| has_value(name, &self.of_server, &now.value))
    }
}

/// Whether an instance in this state serves its clients.
fn serves(status: &str) -> bool {
    status == "available" || BUSY.contains(&status)
}

/// The command that shows an instance.
fn shown(access: &ParameterGroupAccess, name: &str) -> Message {
    foreign(access.cloud.command(&format!("rds describe-db-instances --db-instance-identifier {name}")))
}

/// A value as RDS takes it: sizes as bytes, and switches as the numbers that it lists.
fn written(value: &str, allowed: &str) -> String {
    let listed = |word: &str| items(allowed).any(|item| item.eq_ignore_ascii_case(word));
    let switch = match value.to_ascii_lowercase().as_str() {
        "on" | "true" | "yes" => Some(["1", "ON"]),
        "off" | "false" | "no" => Some(["0", "OFF"]),
        _ => None,
    };
    match (switch, in_bytes(value)) {
        (Some(_), _) if listed(value) => value.to_owned(),
        (Some(forms), _) => forms.into_iter().find(|form| listed(form)).unwrap_or(value).to_owned(),
        (None, Some(bytes)) => bytes.to_string(),
        (None, None) => value.to_owned(),
    }
}

/// Whether a value is one of those that RDS allows. What cannot be read as ranges and words is left to RDS.
fn takes(allowed: &str, value: &str) -> bool {
    let number = value.parse::<f64>().ok();
    let mut all = items(allowed).peekable();
    // A list of switches (`sql_mode`) may have several of the words.
    let word = |word: &str| items(allowed).any(|item| item.eq_ignore_ascii_case(word.trim()));
    if all.peek().is_none() || items(allowed).any(|item| item.contains(['[', '*', '\\', '(', '{', '='])) {
        return true;
    }
    all.any(|item| match (range(item), number) {
        (Some((from, to)), Some(number)) => (from..=to).contains(&number),
        _ => false,
    }) || value.split(',').all(word)
}

fn items(allowed: &str) -> impl Iterator<Item = &str> {
    allowed.split([',', '|']).map(str::trim).filter(|item| !item.is_empty())
}

/// `0-100`, `-1-100`.
fn range(item: &str) -> Option<(f64, f64)> {
    let middle = item.char_indices().skip(1).find(|(_, c)| *c == '-')?.0;
    Some((item[..middle].trim().parse().ok()?, item[middle + 1..].trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_with_what_rds_allows() {
        for (allowed, good, bad) in [
            ("1-65535", vec!["1", "100", "65535"], vec!["0", "65536", "many", ""]),
            ("-1-100", vec!["-1", "0"], vec!["-2", "101"]),
            ("0,1", vec!["0", "1"], vec!["2", "ON"]),
            ("0,10-100", vec!["0", "10", "99"], vec!["5"]),
            ("0-99.99", vec!["0.5"], vec!["100"]),
            ("ROW,STATEMENT,MIXED", vec!["row", "MIXED"], vec!["COLUMN"]),
            ("TABLE|FILE", vec!["TABLE", "table,file"], vec!["table,pipe"]),
            ("", vec!["anything"], vec![]),
            ("[a-z]*", vec!["anything"], vec![]),
            ("mrr=on,mrr=off", vec!["mrr=on,index_merge=off"], vec![]),
        ] {
            for value in good {
                assert!(takes(allowed, value), "{allowed}: {value}");
            }
            for value in bad {
                assert!(!takes(allowed, value), "{allowed}: {value}");
            }
        }
    }

    #[test]
    fn values_are_written_as_rds_lists_them() {
        for (value, allowed, form) in [
            ("ON", "0,1", "1"),
            ("false", "0,1", "0"),
            ("true", "ON,OFF", "ON"),
            ("off", "ON,OFF", "off"),
            ("ON", "", "ON"),
            ("1", "ON,OFF", "1"),
            ("64M", "5242880-18446744073709551615", "67108864"),
            ("ROW", "ROW,MIXED", "ROW"),
        ] {
            assert_eq!(written(value, allowed), form, "{value} {allowed}");
        }
    }
}
