//! What a table, its replays and its record need to know of a game beside its rules: one trait, one
//! file a game.

mod extreme;
mod mind;
mod royale;
mod soulmates;

use rules::family::{Face, FocusCommand, Laid, OfferCommand, Pile, SeenPile};
use rules::kit::{BySeat, Game, Moment, Seat, Viewer};
use wire::{BotKind, Help, Options, Progress, Setup, WireGame, WriteView, with_game};

use bots::Playable;

use crate::advice::Question;

/// A game that can be played at a table.
pub trait TableGame: WireGame<View: WriteView> + Playable {
    /// What makes the game a race; `None` if it does not matter which player pressed first.
    const RACE: Option<Race<Self>> = None;

    /// What can be worked out for players; `None` if nothing can.
    const AIDS: Option<Aids<Self>> = None;

    /// How a team goes on after a victory; `None` if a game ends with it.
    const ENCORE: Option<Encore<Self>> = None;

    /// The table at which a person learns the game.
    const LESSON: Lesson;

    /// Changes when a command that was made before no longer means what it meant: another level,
    /// play stopped or begun, another round. A card that another player plays changes nothing.
    fn chapter(view: &Self::View) -> (u8, u8, u8);

    /// The level or round that is played.
    fn level(view: &Self::View) -> u8;

    /// Names the next random draw: the same number for the same level, attempt or round, however a
    /// group came there, and another number for every other draw of a game. Two groups get the same
    /// cards for the same number.
    fn draw_key(view: &Self::View) -> u32;

    /// Whether the command has to wait while a player is missing. What decides nothing does not
    /// wait: hands on the table, because the missing hand keeps play from beginning, and private
    /// marks. Nor does leaving it at a victory, which no player could take back.
    fn waits(command: &Self::Command) -> bool;

    /// What the view permits while a player is missing.
    fn waiting_options(view: &Self::View) -> Options;

    /// The spectator's view with everything that the seats know, seat A first: for replays.
    fn opened(spectator: Self::View, seats: &[Self::View]) -> Self::View;

    /// The card or row that was played by this event, in the state before it: for exports.
    fn play_of(&self, event: &Self::Event) -> Option<ExportedPlay>;

    /// What became of a play, by the events of the same move after it: for exports.
    fn result_of(events: &[Self::Event]) -> &'static str;

    /// How far the game came, by the spectator's view at its end: for records.
    fn reached(view: &Self::View) -> Progress;
}

/// What a table needs to know of a game in which the first press counts.
pub struct Race<G: Game> {
    /// Commands that stop play; the first one that is permitted is taken.
    pub pauses: &'static [G::Command],
    /// Whether cards are being played.
    pub is_level: fn(&G::View) -> bool,
    /// Whether the command plays a card.
    pub is_play: fn(&G::Command) -> bool,
    /// The lives that are left.
    pub lives: fn(&G::View) -> u8,
    /// How many mistakes an event tells of: for records.
    pub mistakes: fn(&G::Event) -> u8,
}

/// What a table needs to know of a game whose team may play on after a victory.
pub struct Encore<G: Game> {
    /// Whether the game is won and its players are asked whether they play on.
    pub is_offer: fn(&G::View) -> bool,
    /// Whether the players play on.
    pub is_on: fn(&G::View) -> bool,
}

/// Whether the game is won and its players are asked whether they play on.
pub fn is_offer<G: TableGame>(view: &G::View) -> bool {
    G::ENCORE.is_some_and(|encore| (encore.is_offer)(view))
}

/// Whether the game is won and not over, because its players play on or are asked whether they do.
pub fn is_won<G: TableGame>(view: &G::View) -> bool {
    G::ENCORE.is_some_and(|encore| (encore.is_offer)(view) || (encore.is_on)(view))
}

/// What a table can work out for the players of a game.
pub struct Aids<G: Game> {
    /// The facts for a viewer; `None` if the table has no aids or there is nothing to work out.
    pub help: fn(&G::View) -> Option<Help>,
    /// The question whose answer is suggested to a viewer; `None` if nothing is suggested.
    pub question: fn(&G::View) -> Option<Question>,
}

/// A table at which a person learns a game: the real rules, a deal that suits a beginner, and a
/// partner that is easy to read.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// The set-up, for two players.
    pub setup: &'static str,
    /// The seed of its deals.
    pub seed: u64,
    /// The bot in the other seat.
    pub partner: BotKind,
}

/// A card that was played, or a row that was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedPlay {
    /// The level or round.
    pub level: u8,
    /// The attempt at that level, from 1.
    pub attempt: u8,
    /// The player.
    pub seat: Seat,
    /// The card or row as text.
    pub card: String,
    /// How the card was laid; `None` for a row.
    pub face: Option<Face>,
    /// When the wait for it began, in a race.
    pub since: Option<Moment>,
}

/// Whether it matters in the game of this set-up which player pressed first.
pub fn is_race(setup: &Setup) -> bool {
    with_game!(setup, G, _own => <G as TableGame>::RACE.is_some())
}

/// Focus and stop in a race: only a stop waits, because hands on the table decide nothing.
fn focus_waits(command: FocusCommand) -> bool {
    match command {
        FocusCommand::Stop => true,
        FocusCommand::Rest | FocusCommand::Lift => false,
    }
}

fn answer_waits(command: OfferCommand) -> bool {
    match command {
        OfferCommand::Continue => true,
        OfferCommand::Finish => false,
    }
}

/// The commands that the view permits and that do not wait for a missing player.
fn unwaiting<G: TableGame>(view: &G::View) -> Vec<G::Command> {
    use rules::kit::View as _;
    let mut commands = view.options();
    commands.retain(|command| !G::waits(command));
    commands
}

/// Each hand as its own player knows it.
fn all_hands<V, H: Copy + Default>(
    hands: BySeat<H>,
    seats: &[V],
    hand: impl Fn(&V, Seat) -> H,
) -> BySeat<H> {
    hands.map(|seat, unknown| seats.get(seat.index()).map_or(unknown, |view| hand(view, seat)))
}

/// The pile with every card as the player who laid it knows it.
fn turned_up<V>(pile: &SeenPile, seats: &[V], seen: impl Fn(&V) -> &SeenPile) -> SeenPile {
    let cards = pile.iter().enumerate().filter_map(|(place, card)| {
        let own = seats.get(card.seat().index()).and_then(|view| seen(view).iter().nth(place));
        let card = own.unwrap_or(card);
        card.card().map(|known| Laid { seat: card.seat(), card: known })
    });
    cards.collect::<Pile>().seen(Face::Open, Viewer::Spectator)
}

#[cfg(test)]
mod tests {
    use rules::door::GameName;
    use rules::kit::Preset;
    use wire::with_race;

    use super::*;

    #[test]
    fn with_race_knows_the_games_that_are_a_race() {
        for &game in GameName::ALL {
            let setup = Setup::of(game, 2, Preset::Faithful).expect("two can play every game");
            let is_race_of_wire = with_race!(&setup, G, _own => ()).is_some();
            assert_eq!(is_race(&setup), is_race_of_wire, "{game}: with_race! and RACE differ");
        }
    }
}
