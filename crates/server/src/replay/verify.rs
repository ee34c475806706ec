//! Whether a game could have gone as its journal says: every move is made again by the rules.

use rules::kit::{Match, Moment, Outcome, View as _, Viewer};

use super::finished::{FinishedGame, Move, NoReplay};
use table::{TableGame, is_luck};

/// How often the seed brought the same luck again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Repeated {
    /// Moves that brought luck with them.
    pub(crate) all: u32,
    /// Of these, how many the seed decides in the same way today. Fewer than all means that the
    /// game was played by a program with another generator, or that cards were exchanged.
    pub(crate) same: u32,
}

/// A game that is made again move by move.
pub(crate) struct Verifier<G: TableGame> {
    live: Option<Match<G>>,
    setup: G::Setup,
    pub(crate) luck: Repeated,
}

impl<G: TableGame> Verifier<G> {
    pub(crate) fn new(setup: G::Setup) -> Self {
        Self { live: None, setup, luck: Repeated::default() }
    }

    /// Makes a move again. An error says which line does not follow, and why.
    pub(crate) fn follow(&mut self, past: &FinishedGame, each: &Move<G>) -> Result<(), NoReplay> {
        let wrong = |error: &str| NoReplay::Line { line: each.line, error: error.to_owned() };
        let opening = [Match::<G>::open(&self.setup, past.seed)];
        let steps = match (&self.live, &each.by) {
            (None, None) => opening.into_iter().collect::<Vec<_>>(),
            (Some(live), Some(cause)) => {
                let commands = live.view(Viewer::Seat(cause.seat)).options();
                // A deal that several groups play is drawn by what each draw is for.
                let draw_key = || G::draw_key(&live.view(Viewer::Spectator));
                let stream = past.deal().map_or(live.seq(), |deal| deal.stream(draw_key()));
                let made = |command| live.submit_from(each.at, cause.seat, command, stream).ok();
                commands.into_iter().filter_map(made).collect()
            }
            (None, Some(_)) => return Err(wrong("the game begins with a deal")),
            (Some(_), None) => return Err(wrong("no command led to this")),
        };
        let same = steps.iter().find(|step| agree::<G>(step.events(), &each.events));
        let alike = || steps.iter().find(|step| are_alike::<G>(step.events(), &each.events));
        if same.or_else(alike).is_none() {
            return Err(wrong("no permitted command leads to this"));
        }
        if each.events.iter().any(is_luck) {
            self.luck.all += 1;
            self.luck.same += u32::from(same.is_some());
        }
        let live = self
            .live
            .unwrap_or_else(|| Match::resume(G::new(&self.setup), past.seed, 0, Moment::START));
        let mut state = *live.state();
        for event in &each.events {
            state.apply(each.at, event);
        }
        let text = state.to_string();
        if text.parse::<G>().ok() != Some(state) {
            return Err(wrong(&format!("the game cannot stand like this: {text}")));
        }
        let seq = live.seq() + each.events.len() as u64;
        self.live = Some(Match::resume(state, past.seed, seq, each.at));
        Ok(())
    }

    /// Whether the game ended as it says.
    pub(crate) fn end(&self, past: &FinishedGame) -> Result<(), String> {
        let outcome = self.live.and_then(|live| live.outcome());
        let is_won =
            self.live.is_some_and(|live| table::is_won::<G>(&live.view(Viewer::Spectator)));
        match (outcome, past.outcome) {
            // Players may end a game early.
            (None, None) => Ok(()),
            // A victory counts when it happens, also if the players go on.
            (None, Some(Outcome::Won)) if is_won => Ok(()),
            (found, stored) if found == stored => Ok(()),
            (found, stored) => Err(format!("the game ended with {found:?}, not with {stored:?}")),
        }
    }
}

/// Whether the rules make these events today.
fn agree<G: TableGame>(made: &[G::Event], recorded: &[G::Event]) -> bool {
    made.len() == recorded.len()
        && made.iter().zip(recorded).all(|(made, recorded)| G::agrees(made, recorded))
}

/// Whether only chance decided otherwise.
fn are_alike<G: TableGame>(made: &[G::Event], recorded: &[G::Event]) -> bool {
    let word = |event: &G::Event| event.to_string().split(' ').next().map(str::to_owned);
    made.len() == recorded.len()
        && made.iter().zip(recorded).all(|(made, recorded)| {
            G::agrees(made, recorded) || (is_luck(recorded) && word(made) == word(recorded))
        })
}
