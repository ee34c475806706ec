//! Soulmates in plain words.

use rules::family::Seen;
use rules::kit::Seat;
use rules::soulmates::{Mode, Notice, Phase, Sight, Soulmates, View, Vision};

use super::ritual::{answered, chapter, ended, focused, others, over, resting};
use super::text::{GameText, all_of, count, name, who};

impl GameText for Soulmates {
    const TITLE: &'static str = "The Mind: Soulmates";

    fn table(view: &View, me: Seat) -> Vec<String> {
        let public = &view.public;
        let (lives, cards) = (count(public.lives, "life"), count(public.row().cards, "card"));
        let seer = who(public.seer, me);
        let beyond = match public.mode {
            Mode::Game => "",
            Mode::Extra { .. } => ", beyond the game",
        };
        let mut lines = vec![
            format!("Level {}{beyond} · attempt {} · {lives}", public.level, public.attempt),
            format!("{cards} for the team · Seer: {seer} · on the slate: {}", public.slate),
            format!("Pile: {}", view.pile),
            others(&view.hands.map(|_, hand| hand.len()), me),
            format!("You hold: {}", view.hand()),
        ];
        if let Vision::Seer { known } = view.vision {
            lines.push(format!("As the Seer you know: {known}"));
        }
        lines.push(phase(view, me));
        lines
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
            Sight::Notice(notice) => notice_text(notice, me),
        }
    }

    fn chapter(view: &View) -> String {
        let public = &view.public;
        chapter(format_args!("{} {}", public.level, public.attempt), public.phase)
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
        Phase::Offer(offer) => {
            format!("Won! Go on to level 13? Agreed so far: {}.", all_of(offer.agreed, me))
        }
        Phase::Over { won } => over(won),
    }
}

fn notice_text(notice: &Notice, me: Seat) -> String {
    match notice {
        Notice::Next { level, seer } => {
            format!("Level {level} is next. The Seer is {}.", who(*seer, me))
        }
        Notice::Hinted { seer, cards } if cards.is_empty() => {
            format!("{} wrote nothing.", name(*seer, me))
        }
        Notice::Hinted { seer, cards } => format!("{} wrote {cards}.", name(*seer, me)),
        Notice::Focus(notice) => focused(*notice, me),
        Notice::Completed { level, pile } => {
            format!("In order: {pile}. Level {level} is complete.")
        }
        Notice::Course(notice) => ended(*notice).to_owned(),
        Notice::Offer(notice) => answered(*notice, "The levels beyond are over.", me),
        Notice::Continued => "On to the levels beyond.".to_owned(),
    }
}
