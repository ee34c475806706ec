//! Taking a table over, as a pure machine: it says what to do next and hears what happened.
//!
//! The hint says which node owns a table, so that the others need not disturb it; the log decides.
//! A new owner claims the hint, appends a line that says so behind the last line that it knows, and
//! reads only then. An owner before it that is still there can append nothing any more. If the table
//! has another number of lines, the append is refused with that number, and is tried once more if
//! the claim still stands.

use serde::{Deserialize, Serialize};

use crate::members::{NodeId, Standing};

/// Which node owns a table, as far as the nodes have agreed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hint {
    /// The node, or the one that it is handed to.
    pub node: NodeId,
    /// Grows with every owner.
    pub epoch: u64,
    /// Whether the node has not taken it yet: the owner before has let go of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub offered: bool,
}

/// A take-over on its way.
#[derive(Clone, Debug)]
pub struct Takeover {
    me: NodeId,
    lines: u64,
    claim: Option<Hint>,
    appends: u8,
    claims: u8,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TakeoverStep {
    /// Ask how many lines the table has.
    Count,
    /// Ask for the hint.
    Look,
    /// The same, after a pause: its owner lets go of it in a moment.
    LookAgain,
    /// Set the hint, if its revision is still this one.
    Claim {
        /// The hint.
        hint: Hint,
        /// The revision that it was decided on.
        follows: u64,
    },
    /// Append the line that takes the table over, behind this number of lines.
    Append {
        /// The epoch in it.
        epoch: u64,
        /// How many lines the table has.
        after: u64,
    },
    /// The take-over has come to its end.
    Done(TakeoverEnd),
}

/// How a take-over ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakeoverEnd {
    /// The table is this node's: it may be read now, and played if it has as many lines as this says.
    /// If it has more, another node has taken it over since.
    Mine {
        /// The epoch of this node.
        epoch: u64,
        /// How many lines the table has, the one that took it over among them.
        lines: u64,
    },
    /// Another node owns it.
    Elsewhere(NodeId),
    /// There is no such table.
    NoTable,
    /// Another node was faster, or it is not known whether this one succeeded. It may be tried
    /// again.
    Contested,
}

/// What was heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TakeoverNews {
    /// How many lines the table has.
    Lines(u64),
    /// The hint and its revision.
    Hint(Option<Hint>, u64),
    /// The hint was set.
    Claimed,
    /// It was not: it has another revision.
    Outrun,
    /// The line was appended.
    Appended,
    /// It was not: the table has this number of lines.
    Conflict {
        /// How many.
        found: u64,
    },
    /// No answer, or none that decides anything.
    Nothing,
}

/// How often a node claims a table that others claim as well.
const CLAIMS_MOST: u8 = 3;
/// How often the line is appended: once, and with the number that the refusal names.
const APPENDS_MOST: u8 = 2;

impl Takeover {
    /// A node that wants to have a table, or to know who has it.
    pub fn new(me: NodeId) -> Self {
        Self { me, lines: 0, claim: None, appends: 0, claims: 0 }
    }

    /// The first thing to do.
    pub fn begin(&self) -> TakeoverStep {
        TakeoverStep::Count
    }

    /// What to do after something was heard. `standing` says how it stands with a node now.
    pub fn hear(
        &mut self,
        news: TakeoverNews,
        standing: impl Fn(NodeId) -> Standing,
    ) -> TakeoverStep {
        use TakeoverStep::{Count, Done, Look, LookAgain};
        let contested = Done(TakeoverEnd::Contested);
        match news {
            TakeoverNews::Lines(0) => Done(TakeoverEnd::NoTable),
            TakeoverNews::Lines(lines) => {
                self.lines = lines;
                Look
            }
            TakeoverNews::Hint(hint, revision) => match hint {
                // The claim still stands after a conflict.
                Some(hint) if self.claim == Some(hint) && self.appends > 0 => self.append(hint),
                Some(Hint { node, .. }) if node != self.me => match standing(node) {
                    Standing::Serving => Done(TakeoverEnd::Elsewhere(node)),
                    Standing::Leaving => LookAgain,
                    Standing::Gone => self.claim_behind(hint, revision),
                },
                Some(_) | None => self.claim_behind(hint, revision),
            },
            TakeoverNews::Claimed => match self.claim {
                Some(hint) => self.append(hint),
                None => contested,
            },
            TakeoverNews::Outrun => Look,
            TakeoverNews::Appended => match self.claim {
                Some(Hint { epoch, .. }) => {
                    Done(TakeoverEnd::Mine { epoch, lines: self.lines + 1 })
                }
                None => contested,
            },
            TakeoverNews::Conflict { found: 0 } => Done(TakeoverEnd::NoTable),
            TakeoverNews::Conflict { .. } if self.appends >= APPENDS_MOST => contested,
            TakeoverNews::Conflict { found } => {
                self.lines = found;
                Look
            }
            TakeoverNews::Nothing => match (self.lines, self.appends) {
                (0, _) => Count,
                (_, 0) => LookAgain,
                // What was appended may be stored or not: only a new take-over can tell.
                (..) => contested,
            },
        }
    }

    /// An epoch is larger than all before it, also if the hint was lost: each took a line.
    fn claim_behind(&mut self, hint: Option<Hint>, revision: u64) -> TakeoverStep {
        if self.claims >= CLAIMS_MOST {
            return TakeoverStep::Done(TakeoverEnd::Contested);
        }
        self.claims += 1;
        self.appends = 0;
        let epoch = hint.map_or(0, |hint| hint.epoch).max(self.lines) + 1;
        let hint = Hint { node: self.me, epoch, offered: false };
        self.claim = Some(hint);
        TakeoverStep::Claim { hint, follows: revision }
    }

    fn append(&mut self, Hint { epoch, .. }: Hint) -> TakeoverStep {
        self.appends += 1;
        TakeoverStep::Append { epoch, after: self.lines }
    }
}

#[cfg(test)]
mod tests {
    use super::TakeoverNews as News;
    use super::TakeoverStep as Step;
    use super::*;

    const ME: NodeId = NodeId::new([1; 16]);
    const OTHER: NodeId = NodeId::new([2; 16]);

    fn mine(epoch: u64) -> Hint {
        Hint { node: ME, epoch, offered: false }
    }

    fn other(epoch: u64) -> Hint {
        Hint { node: OTHER, ..mine(epoch) }
    }

    /// What is done after each piece of news, while the other node stands so.
    fn check(standing: Standing, story: impl IntoIterator<Item = (News, Step)>) {
        let mut takeover = Takeover::new(ME);
        assert_eq!(takeover.begin(), Step::Count);
        for (place, (news, step)) in story.into_iter().enumerate() {
            assert_eq!(takeover.hear(news, |_| standing), step, "step {place}");
        }
    }

    #[test]
    fn a_sleeping_table_is_claimed_and_written_before_it_is_read() {
        check(
            Standing::Serving,
            [
                (News::Lines(7), Step::Look),
                (News::Hint(None, 3), Step::Claim { hint: mine(8), follows: 3 }),
                (News::Claimed, Step::Append { epoch: 8, after: 7 }),
                (News::Appended, Step::Done(TakeoverEnd::Mine { epoch: 8, lines: 8 })),
            ],
        );
    }

    #[test]
    fn a_table_of_a_node_that_serves_is_left_there() {
        check(
            Standing::Serving,
            [
                (News::Lines(7), Step::Look),
                (News::Hint(Some(other(2)), 3), Step::Done(TakeoverEnd::Elsewhere(OTHER))),
            ],
        );
        check(Standing::Serving, [(News::Lines(0), Step::Done(TakeoverEnd::NoTable))]);
    }

    #[test]
    fn a_table_of_a_node_that_leaves_is_waited_for() {
        check(
            Standing::Leaving,
            [
                (News::Lines(7), Step::Look),
                (News::Hint(Some(other(9)), 3), Step::LookAgain),
                (
                    News::Hint(Some(Hint { offered: true, ..mine(9) }), 4),
                    Step::Claim { hint: mine(10), follows: 4 },
                ),
            ],
        );
    }

    #[test]
    fn a_refused_line_is_appended_once_more_while_the_claim_stands() {
        let begun = [
            (News::Lines(7), Step::Look),
            (News::Hint(Some(other(9)), 3), Step::Claim { hint: mine(10), follows: 3 }),
            (News::Claimed, Step::Append { epoch: 10, after: 7 }),
            (News::Conflict { found: 8 }, Step::Look),
        ];
        let again = [
            (News::Hint(Some(mine(10)), 4), Step::Append { epoch: 10, after: 8 }),
            (News::Conflict { found: 9 }, Step::Done(TakeoverEnd::Contested)),
        ];
        check(Standing::Gone, begun.iter().cloned().chain(again));
        let outrun = [(News::Hint(Some(other(11)), 5), Step::Claim { hint: mine(12), follows: 5 })];
        check(Standing::Gone, begun.into_iter().chain(outrun));
    }

    #[test]
    fn a_line_without_an_answer_leaves_it_open() {
        check(
            Standing::Gone,
            [
                (News::Lines(7), Step::Look),
                (News::Nothing, Step::LookAgain),
                (News::Hint(Some(other(9)), 3), Step::Claim { hint: mine(10), follows: 3 }),
                (News::Outrun, Step::Look),
                (News::Hint(Some(other(12)), 4), Step::Claim { hint: mine(13), follows: 4 }),
                (News::Claimed, Step::Append { epoch: 13, after: 7 }),
                (News::Nothing, Step::Done(TakeoverEnd::Contested)),
            ],
        );
    }
}
