//! The three games whose players keep time, event by event.

use rules::extreme::{self, Colour, Extreme};
use rules::family::{Cards, Face, FocusNotice, Laid};
use rules::kit::{BySeat, Game, Moment};
use rules::mind::{self, Mind};
use rules::soulmates::{self, Soulmates};

use crate::recorder::{Lane, Recorder, Track};
use crate::report::{Incident, Tempo};

/// How a team kept time in a game, by its events so far.
pub fn of<G: Timed>(
    setup: &G::Setup,
    events: impl IntoIterator<Item = (Moment, G::Event)>,
) -> Tempo {
    Tempo::of(&tracks::<G>(setup, events), G::new(setup).players())
}

/// The same, from completed levels only. It contains nothing that is still hidden: neither the
/// current level, nor a pile that only the Seer saw.
pub fn of_completed<G: Timed>(
    setup: &G::Setup,
    events: impl IntoIterator<Item = (Moment, G::Event)>,
) -> Tempo {
    let mut tracks = tracks::<G>(setup, events);
    tracks.retain(|track| track.complete);
    Tempo::of(&tracks, G::new(setup).players())
}

pub(crate) fn tracks<G: Timed>(
    setup: &G::Setup,
    events: impl IntoIterator<Item = (Moment, G::Event)>,
) -> Vec<Track> {
    let players = G::new(setup).players();
    let (mut recorder, mut course) = (Recorder::new(players), G::Course::default());
    for (at, event) in events {
        G::watch(setup, &mut course, at, &event, &mut Watched(&mut recorder));
    }
    recorder.finish()
}

/// A game in which players keep time.
pub trait Timed: Game {
    /// What one number is worth in a deck of a hundred.
    const DECK_SHARE: f64;

    /// What has to be remembered from event to event.
    type Course: Default;

    /// Times an event.
    fn watch(
        setup: &Self::Setup,
        course: &mut Self::Course,
        at: Moment,
        event: &Self::Event,
        watched: &mut Watched,
    );
}

/// Where the times of a game are put down.
pub struct Watched<'a>(&'a mut Recorder);

impl Timed for Mind {
    const DECK_SHARE: f64 = 1.0;

    /// Whether the blind encore has begun.
    type Course = bool;

    fn watch(
        setup: &mind::Setup,
        encore: &mut bool,
        at: Moment,
        event: &mind::Event,
        Watched(recorder): &mut Watched,
    ) {
        use mind::{Event, Notice};
        match event {
            Event::Dealt { level, hands } => {
                let face = if *encore { Face::Blind } else { setup.face };
                recorder.dealt((*level, 1, *encore), &[(Lane::Pile, face, *hands)]);
            }
            Event::Played { laid: Laid { seat, card }, .. } => {
                recorder.played(at, Lane::Pile, *seat, *card);
            }
            Event::Notice(notice) => match notice {
                Notice::Focus(notice) => focused(recorder, at, notice),
                Notice::Erred { lower } => {
                    recorder.set_aside(Lane::Pile, *lower);
                    recorder.erred(at);
                }
                Notice::Starred { lowest } => {
                    recorder.interrupted(at, Incident::Star);
                    recorder.set_aside(Lane::Pile, *lowest);
                }
                Notice::Turned { .. } => recorder.turned(Lane::Pile),
                Notice::Completed { .. } => recorder.completed(None),
                Notice::Encored => *encore = true,
                Notice::Vote(_) | Notice::Offer(_) | Notice::Course(_) => {}
            },
        }
    }
}

impl Timed for Extreme {
    const DECK_SHARE: f64 = 2.0;

    type Course = ();

    fn watch(
        setup: &extreme::Setup,
        (): &mut (),
        at: Moment,
        event: &extreme::Event,
        Watched(recorder): &mut Watched,
    ) {
        use extreme::{Event, Notice};
        match event {
            Event::Dealt { level, hands } => {
                let row = setup.table.get(usize::from(level.saturating_sub(1)));
                let faces = row.map_or(extreme::Level::of(*level), |row| *row).faces;
                let ways = Colour::ALL.iter().map(|colour| {
                    let cards = hands.map(|_, holding| holding[*colour]);
                    (lane(*colour), faces[*colour], cards)
                });
                recorder.dealt((*level, 1, false), &ways.collect::<Vec<_>>());
            }
            Event::Played { colour, laid: Laid { seat, card }, .. } => {
                recorder.played(at, lane(*colour), *seat, *card);
            }
            Event::Chose { .. } => {}
            Event::Notice(notice) => match notice {
                Notice::Focus(notice) => focused(recorder, at, notice),
                Notice::Erred { earlier } => {
                    set_aside(recorder, earlier);
                    recorder.erred(at);
                }
                Notice::Choosing => recorder.interrupted(at, Incident::Star),
                Notice::Starred { chosen } => set_aside(recorder, chosen),
                Notice::Turned { colour, .. } => recorder.turned(lane(*colour)),
                Notice::Completed { one_sided, .. } => recorder.completed(one_sided.map(lane)),
                Notice::Vote(_) | Notice::Checked { .. } | Notice::Course(_) => {}
            },
        }
    }
}

/// The level and the attempt at it.
#[derive(Default)]
pub struct Attempt {
    level: u8,
    attempt: u8,
    beyond: bool,
}

impl Timed for Soulmates {
    const DECK_SHARE: f64 = 2.0;

    type Course = Attempt;

    fn watch(
        _: &soulmates::Setup,
        course: &mut Attempt,
        at: Moment,
        event: &soulmates::Event,
        Watched(recorder): &mut Watched,
    ) {
        use soulmates::{Event, Notice};
        match event {
            Event::Drawn { .. } | Event::Looked { .. } => {}
            Event::Dealt(hands) => {
                course.attempt += 1;
                let Attempt { level, attempt, beyond } = *course;
                recorder.dealt((level, attempt, beyond), &[(Lane::Pile, Face::Blind, *hands)]);
            }
            Event::Played(Laid { seat, card }) => recorder.played(at, Lane::Pile, *seat, *card),
            Event::Failed { .. } => {
                recorder.turned(Lane::Pile);
                recorder.put_away(false);
            }
            Event::Notice(notice) => match notice {
                Notice::Next { level, .. } => {
                    *course = Attempt { level: *level, attempt: 0, beyond: course.beyond };
                }
                Notice::Focus(notice) => focused(recorder, at, notice),
                Notice::Completed { .. } => recorder.completed(None),
                Notice::Continued => course.beyond = true,
                Notice::Hinted { .. } | Notice::Offer(_) | Notice::Course(_) => {}
            },
        }
    }
}

/// The clock starts when hands are lifted, and stands after a stop.
fn focused(recorder: &mut Recorder, at: Moment, notice: &FocusNotice) {
    match notice {
        FocusNotice::Begun => recorder.begun(at),
        FocusNotice::Stopped(_) => recorder.interrupted(at, Incident::Stop),
        FocusNotice::Rested(_) | FocusNotice::Lifted(_) => {}
    }
}

fn lane(colour: Colour) -> Lane {
    match colour {
        Colour::White => Lane::White,
        Colour::Red => Lane::Red,
    }
}

fn set_aside(recorder: &mut Recorder, holdings: &BySeat<extreme::Holding>) {
    for colour in Colour::ALL {
        let cards: BySeat<Cards> = holdings.map(|_, holding| holding[*colour]);
        recorder.set_aside(lane(*colour), cards);
    }
}
