//! What a table needs to know of a game beside its rules, game by game.

use bots::Company;
use rules::royale::Zone;
use rules::{extreme, mind, royale, soulmates};
use solver::Position;
use wire::{Help, Known, WriteView};

use crate::advice::Question;

/// A game that people sit down to.
pub trait Seated: Known<View: WriteView> + Company {
    /// Commands that hold play, the first one permitted is taken.
    const PAUSES: &'static [Self::Command];

    /// Whether it matters who pressed first.
    const IS_RACE: bool;

    /// Changes when a command made before no longer means what it meant: another level, play
    /// stopped or begun, another round. A card that somebody else plays changes nothing.
    fn chapter(view: &Self::View) -> (u8, u8, u8);

    /// What the next draw is for: the same number for the same level, attempt or round, however
    /// a group came there, and another one for every other draw of a game.
    fn lot(view: &Self::View) -> u32;

    /// Whether the command has to wait while a player is missing. What decides nothing need not:
    /// hands on the table, since the missing hand keeps play from beginning, and private marks.
    /// Nor need one wait to leave it at a victory, which nobody could take back.
    fn waits(command: &Self::Command) -> bool;

    /// Whether cards are being played.
    fn is_level(view: &Self::View) -> bool;

    /// Whether the command plays a card.
    fn is_play(command: &Self::Command) -> bool;

    /// The lives that are left, where there are any.
    fn lives(view: &Self::View) -> u8;

    /// Whether something can be worked out for players.
    const HAS_AIDS: bool = false;

    /// What can be worked out for a viewer; `None` where there is nothing to work out.
    fn help(_: &Self::View) -> Option<Help> {
        None
    }

    /// What can be suggested to a viewer; `None` where nothing can.
    fn question(_: &Self::View) -> Option<Question> {
        None
    }
}

impl Seated for mind::Mind {
    const PAUSES: &'static [mind::Command] = &[mind::Command::Stop, mind::Command::Lift];
    const IS_RACE: bool = true;

    fn chapter(view: &mind::View) -> (u8, u8, u8) {
        use mind::{Mode, Phase};
        let phase = match view.public.phase {
            Phase::Focus(_) => 0,
            Phase::Playing { .. } => 1,
            Phase::Offer { .. } => 2,
            Phase::Over { .. } => 3,
        };
        (view.public.level, u8::from(view.public.mode != Mode::Open), phase)
    }

    fn lot(view: &mind::View) -> u32 {
        u32::from(view.public.level) << 1 | u32::from(view.public.mode != mind::Mode::Open)
    }

    fn waits(command: &mind::Command) -> bool {
        use mind::Command::{Continue, Finish, Lift, Lower, Play, Raise, Rest, Stop};
        match command {
            Rest | Lift | Finish => false,
            Stop | Raise | Lower | Play(_) | Continue => true,
        }
    }

    fn is_level(view: &mind::View) -> bool {
        matches!(view.public.phase, mind::Phase::Playing { .. })
    }

    fn is_play(command: &mind::Command) -> bool {
        matches!(command, mind::Command::Play(_))
    }

    fn lives(view: &mind::View) -> u8 {
        view.public.lives
    }
}

impl Seated for extreme::Extreme {
    const PAUSES: &'static [extreme::Command] = &[extreme::Command::Stop, extreme::Command::Lift];
    const IS_RACE: bool = true;

    fn chapter(view: &extreme::View) -> (u8, u8, u8) {
        use extreme::Phase;
        let phase = match view.public.phase {
            Phase::Focus(_) => 0,
            Phase::Playing { .. } => 1,
            Phase::Choosing { .. } => 2,
            Phase::Over { .. } => 3,
        };
        (view.public.level, 0, phase)
    }

    fn lot(view: &extreme::View) -> u32 {
        u32::from(view.public.level)
    }

    fn waits(command: &extreme::Command) -> bool {
        use extreme::Command::{Choose, Lift, Lower, Play, Raise, Rest, Stop};
        match command {
            Rest | Lift => false,
            Stop | Raise | Lower | Play(_) | Choose(_) => true,
        }
    }

    fn is_level(view: &extreme::View) -> bool {
        matches!(view.public.phase, extreme::Phase::Playing { .. })
    }

    fn is_play(command: &extreme::Command) -> bool {
        matches!(command, extreme::Command::Play(_))
    }

    fn lives(view: &extreme::View) -> u8 {
        view.public.lives
    }
}

impl Seated for soulmates::Soulmates {
    const PAUSES: &'static [soulmates::Command] =
        &[soulmates::Command::Stop, soulmates::Command::Lift];
    const IS_RACE: bool = true;

    fn chapter(view: &soulmates::View) -> (u8, u8, u8) {
        use soulmates::Phase;
        let phase = match view.public.phase {
            Phase::Looking => 0,
            Phase::Hinting => 1,
            Phase::Focus(_) => 2,
            Phase::Playing => 3,
            Phase::Amending => 4,
            Phase::Offer { .. } => 5,
            Phase::Over { .. } => 6,
        };
        (view.public.level, view.public.attempt, phase)
    }

    /// A level draws its cards, deals them, and deals them again after each failure.
    fn lot(view: &soulmates::View) -> u32 {
        use soulmates::Phase;
        let part = match view.public.phase {
            Phase::Looking => 0,
            Phase::Hinting => 1,
            Phase::Focus(_) | Phase::Playing | Phase::Amending => 2,
            Phase::Offer { .. } | Phase::Over { .. } => 3,
        };
        u32::from_be_bytes([0, view.public.level, view.public.attempt, part])
    }

    fn waits(command: &soulmates::Command) -> bool {
        use soulmates::Command::{Continue, Finish, Hint, Lift, Look, Play, Rest, Stop};
        match command {
            Rest | Lift | Finish => false,
            Look | Hint(_) | Stop | Play(_) | Continue => true,
        }
    }

    fn is_level(view: &soulmates::View) -> bool {
        matches!(view.public.phase, soulmates::Phase::Playing)
    }

    fn is_play(command: &soulmates::Command) -> bool {
        matches!(command, soulmates::Command::Play(_))
    }

    fn lives(view: &soulmates::View) -> u8 {
        view.public.lives
    }
}

impl Seated for royale::Royale {
    const PAUSES: &'static [royale::Command] = &[];
    const IS_RACE: bool = false;
    const HAS_AIDS: bool = true;

    fn chapter(view: &royale::View) -> (u8, u8, u8) {
        use royale::Phase;
        let phase = match view.public.phase {
            Phase::Choosing => 0,
            Phase::Breaking => 1,
            Phase::Over => 2,
        };
        (view.public.round, 0, phase)
    }

    fn lot(view: &royale::View) -> u32 {
        u32::from(view.public.round)
    }

    fn waits(command: &royale::Command) -> bool {
        use royale::Command::{Ask, Hide, Mark, Unmark};
        match command {
            Mark(_) | Unmark(_) => false,
            Hide(_) | Ask(_) => true,
        }
    }

    fn is_level(_: &royale::View) -> bool {
        false
    }

    fn is_play(_: &royale::Command) -> bool {
        false
    }

    fn lives(_: &royale::View) -> u8 {
        0
    }

    fn help(view: &royale::View) -> Option<Help> {
        let aids = view.public.setup.aids;
        let on = aids.count || aids.shade || aids.suggest;
        (on && view.public.phase == royale::Phase::Breaking).then(|| Help {
            codes: view.codes_left(),
            cards: view.possible_cards(),
            suggestion: None,
        })
    }

    fn question(view: &royale::View) -> Option<Question> {
        let may = [Zone::Colours, Zone::Shapes].map(|zone| view.may_ask(zone));
        // Of three players each breaks a zone; whoever plays alone breaks whatever is open.
        let zone = match (view.public.setup.players, may) {
            (_, [false, false]) => return None,
            (3, [true, _]) => Some(Zone::Colours),
            (3, _) => Some(Zone::Shapes),
            _ => None,
        };
        let position = Position::seen(&view.public);
        view.public.setup.aids.suggest.then_some(Question { position, zone })
    }
}
