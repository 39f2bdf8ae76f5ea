//! What the server of a golden copy had besides the rows of its tables, when the copy was made: accounts, views, functions and the like. What a server
//! has that is not among them would be lost by putting the copy in the place of its data.

use super::{GoldenCopy, digests};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Definitions by name, by kind; a kind that was not looked at is left out. What follows an `@` in a kind is where they are.
pub type ServerObjects = BTreeMap<String, BTreeMap<String, String>>;

/// The name of the file: digests of the definitions, as JSON.
pub(super) const NAME: &str = "objects";

/// A longer one is not ours.
const LONGEST: u64 = 256 << 20;

/// Writes the file; returns its digest.
pub(super) fn write(dir: &Path, objects: &ServerObjects) -> io::Result<String> {
    let text = serde_json::to_vec(&digested(objects))?;
    std::fs::write(dir.join(NAME), &text)?;
    Ok(digests::of(&text))
}

/// Definitions may contain what no other account should read.
fn digested(objects: &ServerObjects) -> ServerObjects {
    let mut all = objects.clone();
    for definition in all.values_mut().flat_map(BTreeMap::values_mut) {
        *definition = digests::of(definition.as_bytes())[..16].to_owned();
    }
    all
}

impl GoldenCopy {
    /// What a server has that the copy does not have, or has with another definition.
    pub fn lacks(&self, now: &ServerObjects) -> Result<Vec<String>, Problem> {
        let noted = self.objects()?;
        let mut lacking = Vec::new();
        for (kind, found) in digested(now) {
            // What was not looked at then cannot be compared.
            let Some(known) = noted.get(&kind) else { continue };
            let kind = kind.split('@').next().unwrap_or_default();
            let other = found.into_iter().filter(|(name, digest)| known.get(name) != Some(digest));
            lacking.extend(other.map(|(name, _)| format!("{kind} {name}")));
        }
        Ok(lacking)
    }

    fn objects(&self) -> Result<ServerObjects, Problem> {
        let path = self.dir.join(NAME);
        let text = tenbin_intake::regular_file(&path, LONGEST)
            .map_err(|e| self.changed(foreign(format_args!("{}: {e}", path.display()))))?;
        let read = serde_json::from_slice(&text).ok().filter(|_| digests::of(&text) == self.description.objects);
        read.ok_or_else(|| self.changed(msg!("golden-copy-file-differs", file = NAME)))
    }
}
