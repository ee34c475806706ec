//! Soulmates at a table.

use rules::family::{Face, FocusCommand, Laid, LevelGame};
use rules::kit::{Game, Viewer};
use rules::soulmates::{Command, Event, Mode, Phase, Soulmates, View};
use wire::{BotKind, Options, Progress};

use super::{Encore, ExportedPlay, Lesson, Race, TableGame};
use super::{all_hands, answer_waits, focus_waits, turned_up, unwaiting};

impl TableGame for Soulmates {
    const RACE: Option<Race<Self>> = Some(Race {
        pauses: &[Command::Focus(FocusCommand::Stop), Command::Focus(FocusCommand::Lift)],
        is_level: |view| view.public.phase == Phase::Playing,
        is_play: |command| matches!(command, Command::Play(_)),
        lives: |view| view.public.lives,
        mistakes: <Self as LevelGame>::mistakes,
    });

    const ENCORE: Option<Encore<Self>> = Some(Encore {
        is_offer: |view| matches!(view.public.phase, Phase::Offer(_)),
        is_on: |view| view.public.mode != Mode::Game,
    });

    /// The partner is the first Seer, so that a slate is read before one is written.
    const LESSON: Lesson =
        Lesson { setup: "players=2 lives=5 first_seer=B", seed: 1, partner: BotKind::Steady };

    fn chapter(view: &View) -> (u8, u8, u8) {
        let phase = match view.public.phase {
            Phase::Looking => 0,
            Phase::Hinting => 1,
            Phase::Focus(_) => 2,
            Phase::Playing => 3,
            Phase::Amending => 4,
            Phase::Offer(_) => 5,
            Phase::Over { .. } => 6,
        };
        (view.public.level, view.public.attempt, phase)
    }

    fn level(view: &View) -> u8 {
        view.public.level
    }

    /// A level draws its cards, deals them, and deals them again after each failure.
    fn draw_key(view: &View) -> u32 {
        let part = match view.public.phase {
            Phase::Looking => 0,
            Phase::Hinting => 1,
            Phase::Focus(_) | Phase::Playing | Phase::Amending => 2,
            Phase::Offer(_) | Phase::Over { .. } => 3,
        };
        u32::from_be_bytes([0, view.public.level, view.public.attempt, part])
    }

    fn waits(command: &Command) -> bool {
        match command {
            Command::Focus(command) => focus_waits(*command),
            Command::Offer(command) => answer_waits(*command),
            Command::Look | Command::Hint(_) | Command::Play(_) => true,
        }
    }

    fn waiting_options(view: &View) -> Options {
        Options::Soulmates(unwaiting::<Self>(view))
    }

    fn opened(spectator: View, seats: &[View]) -> View {
        let hands = all_hands(spectator.hands, seats, |view, seat| view.hands[seat]);
        let pile = turned_up(&spectator.pile, seats, |view| &view.pile);
        let seer = seats.get(spectator.public.seer.index());
        let vision = seer.map_or(spectator.vision, |view| view.vision);
        View { hands, pile, vision, ..spectator }
    }

    fn play_of(&self, event: &Event) -> Option<ExportedPlay> {
        let Event::Played(Laid { seat, card }) = *event else { return None };
        let public = self.view(Viewer::Spectator).public;
        let (level, attempt, since) = (public.level, public.attempt, Some(public.since));
        let (card, face) = (card.to_string(), Some(Face::Blind));
        Some(ExportedPlay { level, attempt, seat, card, face, since })
    }

    fn result_of(events: &[Event]) -> &'static str {
        let failed = |event: &Event| matches!(event, Event::Failed { .. });
        if events.iter().any(failed) { "failed" } else { "" }
    }

    fn reached(view: &View) -> Progress {
        let public = &view.public;
        let of = public.setup.table.levels();
        let (beyond, level) = match public.mode {
            Mode::Game => (0, public.level),
            Mode::Extra { completed } => (completed, of),
        };
        Progress::Level { level, of, beyond, lives: public.lives, stars: None }
    }
}
