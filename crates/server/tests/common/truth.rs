//! What viewers of a table knew after each event, folded from its journal by the rules alone.

use std::path::Path;

use journal::{Journal, Options, Sqlite};
use rules::kit::{Match, Moment, Seat, Seed, Viewer};
use serde_json::Value;
use wire::{Code, Setup, Sight, Update, View, WireGame};

/// For every number of events that a viewer could have noticed, what they knew then and what they
/// had just noticed.
pub struct Truth {
    viewers: Vec<(Viewer, Vec<ViewAndSight>)>,
}

/// A viewer's view, and what they had just noticed.
type ViewAndSight = (View, Option<Sight>);

/// Reads the first game of a table.
pub async fn of(folder: &Path, table: Code) -> Truth {
    let journal = Sqlite::open(folder.join("tables.db"), Options::default()).unwrap();
    let lines = journal.read(&table.to_string().parse().unwrap(), 0).await.unwrap();
    let lines = lines.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
    of_lines(&lines.collect::<Vec<_>>())
}

/// The same for a table whose lines were read.
pub fn of_lines(lines: &[Value]) -> Truth {
    let started = lines.iter().find_map(|line| line.get("started")).expect("a game was started");
    let setup = serde_json::from_value::<Setup>(started["setup"].clone()).unwrap();
    let events = lines.iter().filter_map(|line| line.get("event")).collect::<Vec<_>>();
    wire::with_game!(setup, G, own => fold::<G>(&own, &events))
}

fn fold<G: WireGame>(setup: &G::Setup, events: &[&Value]) -> Truth {
    let mut live = Match::<G>::resume(G::new(setup), Seed::from(0), 0, Moment::START);
    let players = live.state().players();
    let start = |viewer| (viewer, vec![(G::sent_view(live.view(viewer)).without_since(), None)]);
    let mut viewers = Viewer::all(players).map(start).collect::<Vec<_>>();
    for line in events {
        let event = serde_json::from_value::<G::Event>(line["event"].clone()).unwrap();
        let at = serde_json::from_value::<Moment>(line["at"].clone()).unwrap();
        let mut state = *live.state();
        state.apply(at, &event);
        live = Match::resume(state, Seed::from(0), live.seq() + 1, at);
        for (viewer, known) in &mut viewers {
            let view = G::sent_view(live.view(*viewer)).without_since();
            match G::witness(&event, *viewer) {
                Some(sight) => known.push((view, Some(G::sent_sight(sight)))),
                // Nothing to notice: the view may not have changed either.
                None => assert_eq!(known.last().map(|(view, _)| *view), Some(view)),
            }
        }
    }
    Truth { viewers }
}

impl Truth {
    /// Panics unless an update told a seat, or a spectator, exactly what it knew then. Returns whether
    /// there was a view to compare.
    pub fn check(&self, seat: Option<Seat>, update: &Update) -> bool {
        let Some(view) = update.view else { return false };
        let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
        let (_, known) = self.viewers.iter().find(|(other, _)| *other == viewer).unwrap();
        let seq = usize::try_from(update.seq).unwrap();
        assert_eq!(known[seq].0, view, "{viewer} at {seq}");
        let noticed = known[..=seq].iter().filter_map(|(_, sight)| *sight).collect::<Vec<_>>();
        assert!(noticed.ends_with(&update.sights), "{viewer} at {seq} noticed {:?}", update.sights);
        assert_eq!(update.you, seat, "{viewer} at {seq}");
        true
    }
}
