//! The ritual of the three Mind games in plain words.

use std::fmt::Display;

use rules::family::{CourseNotice, Focus, FocusNotice, OfferNotice, Reward, Vote, VoteNotice};
use rules::kit::{BySeat, Seat};

use super::text::{all_of, count, name, who};

/// Changes with the level and the kind of phase, not with the players that a phase names.
pub(super) fn chapter(level: impl Display, phase: impl Display) -> String {
    let phase = phase.to_string();
    format!("{level} {}", phase.split(':').next().unwrap_or_default())
}

/// Whose hands lie on the table.
pub(super) fn resting(focus: Focus, me: Seat) -> String {
    let when = if focus.underway { "Play is stopped" } else { "Before the level" };
    format!("{when}: hands on the table: {}.", all_of(focus.resting, me))
}

/// What happened to the hands on the table.
pub(super) fn focused(notice: FocusNotice, me: Seat) -> String {
    match notice {
        FocusNotice::Rested(seat) => format!("{} laid a hand on the table.", name(seat, me)),
        FocusNotice::Lifted(seat) => format!("{} took the hand back.", name(seat, me)),
        FocusNotice::Begun => "All hands are lifted: play begins.".to_owned(),
        FocusNotice::Stopped(seat) => format!("{} stopped play.", name(seat, me)),
    }
}

/// That cards are played, and by whom a star is proposed.
pub(super) fn playing(vote: Vote, plain: &str, me: Seat) -> String {
    if vote.raised.is_empty() {
        return plain.to_owned();
    }
    format!("Play is on; a star is proposed by {}.", all_of(vote.raised, me))
}

/// What happened in the vote for a star.
pub(super) fn voted(notice: VoteNotice, me: Seat) -> String {
    match notice {
        VoteNotice::Raised(seat) => format!("{} raised a hand for a star.", name(seat, me)),
        VoteNotice::Lowered(seat) => format!("{} lowered the hand again.", name(seat, me)),
    }
}

/// How the offer to play on was answered, and what is said when that is over.
pub(super) fn answered(notice: OfferNotice, ended: &str, me: Seat) -> String {
    match notice {
        OfferNotice::Agreed(seat) => format!("{} would go on.", name(seat, me)),
        OfferNotice::Finished(seat) => format!("{} left it at the victory.", name(seat, me)),
        OfferNotice::Ended => ended.to_owned(),
    }
}

/// How the course of levels ended.
pub(super) fn ended(notice: CourseNotice) -> &'static str {
    match notice {
        CourseNotice::Won => "The last level is complete: you have won!",
        CourseNotice::Lost => "No life is left: the game is lost.",
    }
}

pub(super) fn over(won: bool) -> String {
    if won { "Won." } else { "Lost." }.to_owned()
}

pub(super) fn completed(level: u8, reward: Reward) -> String {
    match reward {
        Reward::Nothing => format!("Level {level} is complete."),
        Reward::Life | Reward::Star => format!("Level {level} is complete and earns a {reward}."),
    }
}

/// How many cards the others hold.
pub(super) fn others(hands: &BySeat<u8>, me: Seat) -> String {
    let others = hands.iter().filter(|(seat, _)| *seat != me);
    let others = others.map(|(seat, cards)| format!("{seat} holds {}", count(cards, "card")));
    others.collect::<Vec<_>>().join(" · ")
}

/// What was set aside, and whose it was.
pub(super) fn aside<C: Copy + Default + PartialEq + ToString>(
    cards: &BySeat<C>,
    me: Seat,
) -> String {
    let some = cards.iter().filter(|(_, cards)| *cards != C::default());
    let some = some.map(|(seat, cards)| format!("{} of {}", cards.to_string(), who(seat, me)));
    format!("Set aside: {}.", some.collect::<Vec<_>>().join("; "))
}
