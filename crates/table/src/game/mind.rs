//! The Mind at a table.

use rules::family::{FocusCommand, Laid, LevelGame};
use rules::kit::{Game, Viewer};
use rules::mind::{Command, Event, Mind, Mode, Notice, Phase, View};
use wire::{BotKind, Options, Progress};

use super::{Encore, ExportedPlay, Lesson, Race, TableGame};
use super::{all_hands, answer_waits, focus_waits, turned_up, unwaiting};

impl TableGame for Mind {
    const RACE: Option<Race<Self>> = Some(Race {
        pauses: &[Command::Focus(FocusCommand::Stop), Command::Focus(FocusCommand::Lift)],
        is_level: |view| matches!(view.public.phase, Phase::Playing(_)),
        is_play: |command| matches!(command, Command::Play(_)),
        lives: |view| view.public.lives,
        mistakes: <Self as LevelGame>::mistakes,
    });

    const ENCORE: Option<Encore<Self>> = Some(Encore {
        is_offer: |view| matches!(view.public.phase, Phase::Offer(_)),
        is_on: |view| view.public.mode != Mode::Game,
    });

    /// The partner's card comes first, then the learner's: the first level is about waiting.
    const LESSON: Lesson =
        Lesson { setup: "players=2 levels=3 lives=5 stars=1", seed: 212, partner: BotKind::Steady };

    fn chapter(view: &View) -> (u8, u8, u8) {
        let phase = match view.public.phase {
            Phase::Focus(_) => 0,
            Phase::Playing(_) => 1,
            Phase::Offer(_) => 2,
            Phase::Over { .. } => 3,
        };
        (view.public.level, u8::from(view.public.mode != Mode::Game), phase)
    }

    fn level(view: &View) -> u8 {
        view.public.level
    }

    fn draw_key(view: &View) -> u32 {
        u32::from(view.public.level) << 1 | u32::from(view.public.mode != Mode::Game)
    }

    fn waits(command: &Command) -> bool {
        match command {
            Command::Focus(command) => focus_waits(*command),
            Command::Offer(command) => answer_waits(*command),
            Command::Vote(_) | Command::Play(_) => true,
        }
    }

    fn waiting_options(view: &View) -> Options {
        Options::Mind(unwaiting::<Self>(view))
    }

    fn opened(spectator: View, seats: &[View]) -> View {
        let hands = all_hands(spectator.hands, seats, |view, seat| view.hands[seat]);
        let pile = turned_up(&spectator.pile, seats, |view| &view.pile);
        View { hands, pile, ..spectator }
    }

    fn play_of(&self, event: &Event) -> Option<ExportedPlay> {
        let Event::Played { laid: Laid { seat, card }, face } = *event else { return None };
        let public = self.view(Viewer::Spectator).public;
        let (level, since) = (public.level, Some(public.since));
        let (card, face) = (card.to_string(), Some(face));
        Some(ExportedPlay { level, attempt: 1, seat, card, face, since })
    }

    fn result_of(events: &[Event]) -> &'static str {
        let erred = |event: &Event| matches!(event, Event::Notice(Notice::Erred { .. }));
        if events.iter().any(erred) { "mistake" } else { "" }
    }

    fn reached(view: &View) -> Progress {
        let public = &view.public;
        let of = public.setup.levels;
        let (beyond, level) = match public.mode {
            Mode::Game => (0, public.level),
            Mode::Blind { completed } => (completed, of),
        };
        Progress::Level { level, of, beyond, lives: public.lives, stars: Some(public.stars) }
    }
}
