//! The Mind Extreme at a table.

use rules::extreme::{Colour, Command, Event, Extreme, Notice, Phase, View};
use rules::family::{FocusCommand, Laid, LevelGame};
use rules::kit::{Game, Viewer};
use wire::{BotKind, Options, Progress};

use super::{ExportedPlay, Lesson, Race, TableGame};
use super::{all_hands, focus_waits, turned_up, unwaiting};

impl TableGame for Extreme {
    const RACE: Option<Race<Self>> = Some(Race {
        pauses: &[Command::Focus(FocusCommand::Stop), Command::Focus(FocusCommand::Lift)],
        is_level: |view| matches!(view.public.phase, Phase::Playing(_)),
        is_play: |command| matches!(command, Command::Play(_)),
        lives: |view| view.public.lives,
        mistakes: <Self as LevelGame>::mistakes,
    });

    const LESSON: Lesson =
        Lesson { setup: "players=2 lives=5", seed: 40, partner: BotKind::Steady };

    fn chapter(view: &View) -> (u8, u8, u8) {
        let phase = match view.public.phase {
            Phase::Focus(_) => 0,
            Phase::Playing(_) => 1,
            Phase::Choosing { .. } => 2,
            Phase::Over { .. } => 3,
        };
        (view.public.level, 0, phase)
    }

    fn level(view: &View) -> u8 {
        view.public.level
    }

    fn draw_key(view: &View) -> u32 {
        u32::from(view.public.level)
    }

    fn waits(command: &Command) -> bool {
        match command {
            Command::Focus(command) => focus_waits(*command),
            Command::Vote(_) | Command::Play(_) | Command::Choose(_) => true,
        }
    }

    fn waiting_options(view: &View) -> Options {
        Options::Extreme(unwaiting::<Self>(view))
    }

    fn opened(spectator: View, seats: &[View]) -> View {
        let hands = all_hands(spectator.hands, seats, |view, seat| view.hands[seat]);
        let mut piles = spectator.piles;
        for colour in Colour::ALL {
            piles[*colour] = turned_up(&piles[*colour], seats, |view| &view.piles[*colour]);
        }
        View { hands, piles, ..spectator }
    }

    fn play_of(&self, event: &Event) -> Option<ExportedPlay> {
        let Event::Played { colour, laid: Laid { seat, card }, face } = *event else {
            return None;
        };
        let public = self.view(Viewer::Spectator).public;
        let (level, since) = (public.level, Some(public.since));
        let (card, face) = (format!("{colour} {card}"), Some(face));
        Some(ExportedPlay { level, attempt: 1, seat, card, face, since })
    }

    fn result_of(events: &[Event]) -> &'static str {
        let erred = |event: &Event| matches!(event, Event::Notice(Notice::Erred { .. }));
        if events.iter().any(erred) { "mistake" } else { "" }
    }

    fn reached(view: &View) -> Progress {
        let public = &view.public;
        let (level, of) = (public.level, public.setup.levels());
        Progress::Level { level, of, beyond: 0, lives: public.lives, stars: Some(public.stars) }
    }
}
