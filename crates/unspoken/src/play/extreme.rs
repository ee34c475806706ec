//! Extreme in plain words.

use rules::extreme::{Choice, Colour, Extreme, Notice, Phase, Sight, View};
use rules::family::{Face, Seen};
use rules::kit::Seat;

use super::ritual::{
    aside, chapter, completed, ended, focused, others, over, playing, resting, voted,
};
use super::text::{GameText, all_of, count, name};

impl GameText for Extreme {
    const TITLE: &'static str = "The Mind Extreme";

    fn table(view: &View, me: Seat) -> Vec<String> {
        let public = &view.public;
        let (lives, stars) = (count(public.lives, "life"), count(public.stars, "star"));
        let pile = |colour: Colour, way: &str| {
            let face = match public.face(colour) {
                Face::Open => "",
                Face::Blind => ", face down",
            };
            format!("{colour} ({way}{face}): {}", view.piles[colour])
        };
        vec![
            format!("Level {} · {lives} · {stars}", public.level),
            format!("Piles: {} · {}", pile(Colour::White, "up"), pile(Colour::Red, "down")),
            others(&view.hands.map(|_, hand| hand.len()), me),
            format!("You hold: {}", view.hand()),
            phase(public.phase, me),
        ]
    }

    fn news(sight: &Sight, me: Seat) -> String {
        match sight {
            Sight::Dealt { level, .. } => format!("Level {level} is dealt."),
            Sight::Played { colour, card: Seen::Known(laid) } => {
                format!("{} played {colour} {}.", name(laid.seat, me), laid.card)
            }
            Sight::Played { colour, card: Seen::Back(seat) } => {
                format!("{} played a {colour} card face down.", name(*seat, me))
            }
            Sight::Chose { choice: Choice::Mine(colour), .. } => {
                format!("You chose your first {colour} card.")
            }
            Sight::Chose { seat, choice: Choice::Theirs } => format!("{seat} has chosen a card."),
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
        Phase::Playing(vote) => playing(vote, "Play is on, on both piles.", me),
        Phase::Choosing { chosen } => {
            format!("A star: everyone chooses a card. Chosen so far: {}.", all_of(chosen, me))
        }
        Phase::Over { won } => over(won),
    }
}

fn notice_text(notice: &Notice, me: Seat) -> String {
    match notice {
        Notice::Focus(notice) => focused(*notice, me),
        Notice::Vote(notice) => voted(*notice, me),
        Notice::Erred { earlier } => format!("A mistake! One life lost. {}", aside(earlier, me)),
        Notice::Choosing => "Everyone agrees: a star is played.".to_owned(),
        Notice::Starred { chosen } => format!("A star is spent. {}", aside(chosen, me)),
        Notice::Turned { colour, pile, mistakes } => {
            let mistakes = count(*mistakes, "mistake");
            format!("The {colour} pile is turned over: {pile}. {mistakes}.")
        }
        Notice::Checked { cost } => format!("The check costs {}.", count(*cost, "life")),
        Notice::Completed { level, reward, one_sided: None } => completed(*level, *reward),
        Notice::Completed { level, reward, one_sided: Some(colour) } => {
            let other = colour.other();
            format!(
                "{} But {colour} was finished before {other} was begun: both piles count.",
                completed(*level, *reward)
            )
        }
        Notice::Course(notice) => ended(*notice).to_owned(),
    }
}
