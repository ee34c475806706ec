//! The Mind in plain words.

use rules::family::{Focus, Reward, Seen};
use rules::kit::{BySeat, Seat};
use rules::mind::{Mind, Mode, Notice, Phase, Sight, View};

use super::told::{Told, all_of, count, name, who};

impl Told for Mind {
    const TITLE: &'static str = "The Mind";

    fn table(view: &View, me: Seat) -> Vec<String> {
        let public = &view.public;
        let blind = match public.mode {
            Mode::Open => "",
            Mode::Blind { .. } => ", blind",
        };
        let (lives, stars) = (count(public.lives, "life"), count(public.stars, "star"));
        vec![
            format!("Level {}{blind} · {lives} · {stars}", public.level),
            format!("Pile: {}", view.pile),
            others(&view.hands.map(|_, hand| hand.len()), me),
            format!("You hold: {}", view.hand()),
            phase(public.phase, me),
        ]
    }

    fn news(sight: &Sight, me: Seat) -> String {
        match sight {
            Sight::Dealt { level, .. } => format!("Level {level} is dealt."),
            Sight::Played(Seen::Known(laid)) => {
                format!("{} played {}.", name(laid.seat, me), laid.card)
            }
            Sight::Played(Seen::Back(seat)) => {
                format!("{} played a card face down.", name(*seat, me))
            }
            Sight::Notice(notice) => told(notice, me),
        }
    }

    fn chapter(view: &View) -> String {
        let kind = match view.public.phase {
            Phase::Focus(_) => "focus",
            Phase::Playing { .. } => "play",
            Phase::Offer { .. } => "offer",
            Phase::Over { .. } => "over",
        };
        format!("{} {kind}", view.public.level)
    }
}

fn phase(phase: Phase, me: Seat) -> String {
    match phase {
        Phase::Focus(focus) => resting(focus, me),
        Phase::Playing { raised } if raised.is_empty() => "Play is on.".to_owned(),
        Phase::Playing { raised } => {
            format!("Play is on; a star is proposed by {}.", all_of(raised, me))
        }
        Phase::Offer { agreed } => {
            format!("Won! Go on blind? Agreed so far: {}.", all_of(agreed, me))
        }
        Phase::Over { won } => if won { "Won." } else { "Lost." }.to_owned(),
    }
}

fn told(notice: &Notice, me: Seat) -> String {
    match notice {
        Notice::Rested(seat) => rested(*seat, me),
        Notice::Lifted(seat) => format!("{} took the hand back.", name(*seat, me)),
        Notice::Begun => "All hands are lifted: play begins.".to_owned(),
        Notice::Stopped(seat) => format!("{} stopped play.", name(*seat, me)),
        Notice::Raised(seat) => format!("{} raised a hand for a star.", name(*seat, me)),
        Notice::Lowered(seat) => format!("{} lowered the hand again.", name(*seat, me)),
        Notice::Erred { lower } => format!("A mistake! One life lost. {}", aside(lower, me)),
        Notice::Starred { lowest } => format!("A star is spent. {}", aside(lowest, me)),
        Notice::Turned { pile, mistakes, cost } => {
            let (mistakes, cost) = (count(*mistakes, "mistake"), count(*cost, "life"));
            format!("The pile is turned over: {pile}. {mistakes}, {cost} lost.")
        }
        Notice::Completed { level, reward } => completed(*level, *reward),
        Notice::Won => "The last level is complete: you have won!".to_owned(),
        Notice::Agreed(seat) => format!("{} would go on.", name(*seat, me)),
        Notice::Encored => "The blind encore begins.".to_owned(),
        Notice::Finished(seat) => format!("{} left it at the victory.", name(*seat, me)),
        Notice::Ended => "The encore is over.".to_owned(),
        Notice::Lost => "The last life is gone.".to_owned(),
    }
}

/// Whose hands lie on the table.
pub(super) fn resting(focus: Focus, me: Seat) -> String {
    let when = if focus.underway { "Play is stopped" } else { "Before the level" };
    format!("{when}: hands on the table: {}.", all_of(focus.resting, me))
}

pub(super) fn rested(seat: Seat, me: Seat) -> String {
    format!("{} laid a hand on the table.", name(seat, me))
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
