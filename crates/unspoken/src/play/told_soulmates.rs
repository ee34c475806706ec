//! Soulmates in plain words.

use rules::family::Seen;
use rules::kit::Seat;
use rules::soulmates::{Mode, Notice, Phase, Sight, Soulmates, View, Vision};

use super::told::{Told, all_of, count, name, who};
use super::told_mind::{others, rested, resting};

impl Told for Soulmates {
    const TITLE: &'static str = "The Mind: Soulmates";

    fn table(view: &View, me: Seat) -> Vec<String> {
        let public = &view.public;
        let (lives, cards) = (count(public.lives, "life"), count(public.row().cards, "card"));
        let seer = who(public.seer, me);
        let beyond = match public.mode {
            Mode::Game => "",
            Mode::Extra { .. } => ", beyond the game",
        };
        let mut told = vec![
            format!("Level {}{beyond} · attempt {} · {lives}", public.level, public.attempt),
            format!("{cards} for the team · Seer: {seer} · on the slate: {}", public.slate),
            format!("Pile: {}", view.pile),
            others(&view.hands.map(|_, hand| hand.len()), me),
            format!("You hold: {}", view.hand()),
        ];
        if let Vision::Seer { known } = view.vision {
            told.push(format!("As the Seer you know: {known}"));
        }
        told.push(phase(view, me));
        told
    }

    fn news(sight: &Sight, me: Seat) -> String {
        match sight {
            Sight::Drawn { count: cards } => format!("{} are drawn.", count(*cards, "card")),
            Sight::Looked { vision: Vision::Seer { known }, .. } => {
                format!("You looked at {known}.")
            }
            Sight::Looked { seer, vision: Vision::Blind } => {
                format!("{seer} looked at some of them.")
            }
            Sight::Dealt(_) => "The cards are dealt.".to_owned(),
            Sight::Played(Seen::Known(laid)) => format!("You laid {} face down.", laid.card),
            Sight::Played(Seen::Back(seat)) => format!("{seat} laid a card."),
            Sight::Failed { seer, pile } if *seer == me => {
                format!("The order is wrong: {pile}.")
            }
            Sight::Failed { seer, .. } => format!("{seer} shakes the head: the order is wrong."),
            Sight::Notice(notice) => told(notice, me),
        }
    }

    fn chapter(view: &View) -> String {
        let public = &view.public;
        let kind = match public.phase {
            Phase::Looking => "look",
            Phase::Hinting => "hint",
            Phase::Focus(_) => "focus",
            Phase::Playing => "play",
            Phase::Amending => "amend",
            Phase::Offer { .. } => "offer",
            Phase::Over { .. } => "over",
        };
        format!("{} {} {kind}", public.level, public.attempt)
    }
}

fn phase(view: &View, me: Seat) -> String {
    let public = &view.public;
    let seer = public.seer;
    match public.phase {
        Phase::Looking if seer == me => "You are the Seer: look when all are ready.".to_owned(),
        Phase::Looking => format!("{seer} is the Seer and will look at some cards."),
        Phase::Hinting if seer == me => {
            let hints = count(public.row().hints, "hint");
            format!("You may write up to {hints} on the slate (hint 7,33; hint - for none).")
        }
        Phase::Amending if seer == me => {
            "You may add one hint (hint 7), or none (hint -).".to_owned()
        }
        Phase::Hinting | Phase::Amending => format!("{seer} thinks about hints."),
        Phase::Focus(focus) => resting(focus, me),
        Phase::Playing => "Play is on, face down.".to_owned(),
        Phase::Offer { agreed } => {
            format!("Won! Go on to level 13? Agreed so far: {}.", all_of(agreed, me))
        }
        Phase::Over { won } => if won { "Won." } else { "Lost." }.to_owned(),
    }
}

fn told(notice: &Notice, me: Seat) -> String {
    match notice {
        Notice::Next { level, seer } => {
            format!("Level {level} is next. The Seer is {}.", who(*seer, me))
        }
        Notice::Hinted { seer, cards } if cards.is_empty() => {
            format!("{} wrote nothing.", name(*seer, me))
        }
        Notice::Hinted { seer, cards } => format!("{} wrote {cards}.", name(*seer, me)),
        Notice::Rested(seat) => rested(*seat, me),
        Notice::Lifted(seat) => format!("{} took the hand back.", name(*seat, me)),
        Notice::Begun => "All hands are lifted: play begins.".to_owned(),
        Notice::Stopped(seat) => format!("{} stopped play.", name(*seat, me)),
        Notice::Completed { level, pile } => {
            format!("In order: {pile}. Level {level} is complete.")
        }
        Notice::Won => "The last level is complete: you have won!".to_owned(),
        Notice::Agreed(seat) => format!("{} would go on.", name(*seat, me)),
        Notice::Continued => "On to the levels beyond.".to_owned(),
        Notice::Finished(seat) => format!("{} left it at the victory.", name(*seat, me)),
        Notice::Ended => "The levels beyond are over.".to_owned(),
        Notice::Lost => "No life was left: the game is lost.".to_owned(),
    }
}
