//! What was measured, and is not compared with the base of its experiment because they have no cell in common: the answer names it, or it would look as if
//! what it says were of all.

use crate::compared::Compared;
use crate::comparison::{self, Comparing};
use crate::contender;
use tenbin_model::question::Question;
use tenbin_model::summary::Summary;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// `Of c there is no comparison: no cell is in common with a.` Of an experiment in which others are compared.
pub(crate) fn sentence(summary: &Summary, experiment: &str, question: Question) -> Option<Message> {
    let figure = question.figure();
    let base = summary.comparisons(experiment, question, figure).into_iter().next()?;
    let what = Comparing { experiment, question, figure, comparisons: 1 };
    let is_apart = |name: &str| {
        let own = comparison::only_in_first(summary, &what, name, None);
        name != base.a && !own.is_empty() && comparison::only_in_first(summary, &what, name, Some(&base.a)) == own
    };
    let words = |name: &str| contender::words_of_name(summary, experiment, name);
    let all = summary.contenders(experiment, question);
    let apart: Vec<Message> = all.iter().filter(|one| is_apart(&one.name)).map(|one| words(&one.name)).collect();
    (!apart.is_empty()).then(|| msg!("answer-apart", names = Message::list(apart), base = words(&base.a)))
}
