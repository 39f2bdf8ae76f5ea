//! A trial as it is stored and shown: the user's commands without the passwords that stand in them.

use super::{Apply, Hooks, Target, Trial};
use crate::dsn::redact;

impl Trial {
    /// The trial as it may be stored and shown.
    #[must_use]
    pub fn recorded(&self) -> Trial {
        Trial { target: self.target.recorded(), ..self.clone() }
    }
}

impl Target {
    fn recorded(&self) -> Target {
        let mut target = self.clone();
        let Hooks { before_run, before_trial, with_data, after_trial, after_run, timeout_ms: _ } = &mut target.hooks;
        let restore = &mut target.restore;
        let mut commands: Vec<&mut String> = [before_run, before_trial, with_data, after_trial, after_run]
            .into_iter()
            .chain([&mut restore.stop, &mut restore.start])
            .flatten()
            .chain(restore.command.as_mut().map(|command| &mut command.run))
            .collect();
        if let Some(Apply::Restart { restart, .. }) = &mut target.apply {
            commands.push(restart);
        }
        for command in commands {
            *command = redact(command);
        }
        target
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::RestoreCommand;

    #[test]
    fn no_password_in_a_command_is_stored() {
        let secret = |before: &str| format!("{before} mysql://u:Zq9secret@h/d");
        let mut target = Target::named("a", 0);
        let hook = |name: &str| Some(secret(name));
        target.hooks = Hooks {
            before_run: hook("a"),
            before_trial: hook("b"),
            with_data: hook("c"),
            after_trial: Some("curl -H 'Authorization: Bearer Zq9secret' https://h/x?token=Zq9secret".to_owned()),
            after_run: Some("PGPASSWORD=Zq9secret psql -c 'select 1'".to_owned()),
            timeout_ms: 1,
        };
        (target.restore.stop, target.restore.start) = (hook("d"), hook("e"));
        target.restore.command = Some(RestoreCommand { run: secret("f"), timeout_ms: 1 });
        target.apply = Some(Apply::Restart { file: None, restart: secret("g"), may_change_others: false });
        let stored = format!("{:?}", target.recorded());
        assert!(!stored.contains("Zq9"), "{stored}");
        assert_eq!(target.recorded().recorded(), target.recorded());
        assert_eq!(target.recorded().hooks.after_run.as_deref(), Some("PGPASSWORD=… psql -c 'select 1'"));
    }
}
