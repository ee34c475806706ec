//! Royale Mastermind at a table.

use rules::kit::{Game, Viewer};
use rules::royale::{Command, Event, Notice, Phase, Royale, View, Zone};
use solver::Position;
use wire::{BotKind, Help, Options, Progress};

use super::{Aids, ExportedPlay, Lesson, TableGame};
use crate::advice::Question;

impl TableGame for Royale {
    const AIDS: Option<Aids<Self>> = Some(Aids { help, question });

    const LESSON: Lesson =
        Lesson { setup: "players=2 rounds=2 preset=friendly", seed: 1, partner: BotKind::Student };

    fn chapter(view: &View) -> (u8, u8, u8) {
        let phase = match view.public.phase {
            Phase::Choosing => 0,
            Phase::Breaking => 1,
            Phase::Over => 2,
        };
        (view.public.round, 0, phase)
    }

    fn level(view: &View) -> u8 {
        view.public.round
    }

    fn draw_key(view: &View) -> u32 {
        u32::from(view.public.round)
    }

    fn waits(command: &Command) -> bool {
        match command {
            Command::Mark(_) | Command::Unmark(_) => false,
            Command::Hide(_) | Command::Ask(_) => true,
        }
    }

    fn waiting_options(view: &View) -> Options {
        Options::Royale { hide: false, colours: false, shapes: false, mark: view.may_mark() }
    }

    fn opened(spectator: View, seats: &[View]) -> View {
        let maker = seats.get(spectator.public.roles.maker.index());
        let code = maker.map_or(spectator.code, |view| view.code);
        let marks = seats.iter().map(|view| view.marks).collect();
        View { code, marks, ..spectator }
    }

    fn play_of(&self, event: &Event) -> Option<ExportedPlay> {
        let Event::Notice(Notice::Asked { seat, row, pegs }) = *event else { return None };
        let level = self.view(Viewer::Spectator).public.round;
        let card = format!("{row} {pegs}");
        Some(ExportedPlay { level, attempt: 1, seat, card, face: None, since: None })
    }

    fn result_of(events: &[Event]) -> &'static str {
        let scored = |event: &Event| matches!(event, Event::Notice(Notice::Scored(_)));
        if events.iter().any(scored) { "round over" } else { "" }
    }

    fn reached(view: &View) -> Progress {
        Progress::Points(view.public.scores.values().collect())
    }
}

fn help(view: &View) -> Option<Help> {
    let aids = view.public.setup.aids;
    let on = aids.count || aids.shade || aids.suggest;
    (on && view.public.phase == Phase::Breaking).then(|| Help {
        codes: view.codes_left(),
        cards: view.possible_cards(),
        suggestion: None,
    })
}

fn question(view: &View) -> Option<Question> {
    let may = [Zone::Colours, Zone::Shapes].map(|zone| view.may_ask(zone));
    // Of three players two break one zone each; a lone codebreaker breaks what is open.
    let zone = match (view.public.setup.players, may) {
        (_, [false, false]) => return None,
        (3, [true, _]) => Some(Zone::Colours),
        (3, _) => Some(Zone::Shapes),
        _ => None,
    };
    let position = Position::seen(&view.public);
    view.public.setup.aids.suggest.then_some(Question { position, zone })
}
