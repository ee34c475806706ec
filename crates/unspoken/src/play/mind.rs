//! The Mind in plain words.

use rules::family::{Face, Seen};
use rules::kit::Seat;
use rules::mind::{Mind, Notice, Phase, Sight, View};

use super::ritual::{
    answered, aside, chapter, completed, ended, focused, others, over, playing, resting, voted,
};
use super::text::{GameText, all_of, count, name};

impl GameText for Mind {
    const TITLE: &'static str = "The Mind";

    fn table(view: &View, me: Seat) -> Vec<String> {
        let public = &view.public;
        let blind = match public.face() {
            Face::Open => "",
            Face::Blind => ", blind",
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
            Sight::Notice(notice) => notice_text(notice, me),
        }
    }

    fn chapter(view: &View) -> String {
        chapter(view.public.level, view.public.phase)
    }
}

fn phase(phase: Phase, me: Seat) -> String {
    match phase {
        Phase::Focus(focus) => resting(focus, me),
        Phase::Playing(vote) => playing(vote, "Play is on.", me),
        Phase::Offer(offer) => {
            format!("Won! Go on blind? Agreed so far: {}.", all_of(offer.agreed, me))
        }
        Phase::Over { won } => over(won),
    }
}

fn notice_text(notice: &Notice, me: Seat) -> String {
    match notice {
        Notice::Focus(notice) => focused(*notice, me),
        Notice::Vote(notice) => voted(*notice, me),
        Notice::Erred { lower } => format!("A mistake! One life lost. {}", aside(lower, me)),
        Notice::Starred { lowest } => format!("A star is spent. {}", aside(lowest, me)),
        Notice::Turned { pile, mistakes, cost } => {
            let (mistakes, cost) = (count(*mistakes, "mistake"), count(*cost, "life"));
            format!("The pile is turned over: {pile}. {mistakes}, {cost} lost.")
        }
        Notice::Completed { level, reward } => completed(*level, *reward),
        Notice::Course(notice) => ended(*notice).to_owned(),
        Notice::Offer(notice) => answered(*notice, "The encore is over.", me),
        Notice::Encored => "The blind encore begins.".to_owned(),
    }
}
