//! What golden copies take: said at the end of a run, and by `tenbin data list`.

use std::collections::BTreeSet;
use tenbin_lab::Request;
use tenbin_servers::golden::{self, Stored};
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// How many there are, and what they take.
pub fn together(n: usize, bytes: u64, store: &str) -> Message {
    msg!("golden-copies-together", n, bytes = figure::bytes(bytes as f64), store = foreign(store))
}

/// What the golden copies of a run take when it has ended; `None` if it has none.
pub fn of_run(request: &Request) -> Option<Message> {
    let golden = request.trials.iter().filter(|trial| tenbin_lab::golden_store(trial).is_some());
    let stores: BTreeSet<_> = golden.filter_map(tenbin_lab::golden_store).collect();
    let copies = stores.into_iter().filter_map(|store| {
        let all = golden::list(&store).ok().filter(|all| !all.is_empty())?;
        let bytes = all.iter().map(|stored| if let Stored::Copy(copy) = stored { copy.description.bytes } else { 0 });
        Some(together(all.len(), bytes.sum(), &store.display().to_string()))
    });
    let copies: Vec<Message> = copies.collect();
    (!copies.is_empty()).then(|| Message::joined(copies, "; "))
}
