//! The text of `UpdateWriter` is the text that serde writes for the same update.

use rules::door::GameName;
use rules::kit::{Chance, Match, Moment, Seat, Seed, View as _, Viewer};
use rules::with_name;
use wire::{ServerMessage, Update, UpdateHead, UpdateWriter, WireGame, WriteView};

/// How many updates of each game are compared at least.
const ENOUGH: usize = 2_400;

/// Plays games at random and compares the updates of all viewers after each move.
fn compare<G: WireGame<View: WriteView>>() {
    let setup = "players=3".parse::<G::Setup>().unwrap_or_else(|e| panic!("{}: {e}", G::NAME));
    let code = "k3f9ab".parse().unwrap();
    let mut count = 0;
    for game in 0..1_000 {
        if count >= ENOUGH {
            return;
        }
        let mut live = Match::<G>::open(&setup, Seed::from(game)).commit();
        let mut updates = UpdateWriter::<G::View, G::Sight>::default();
        for number in 0..60 {
            let mut chance = Chance::new(Seed::from(game), number);
            let players = live.state().players();
            let acts = Seat::all(players).flat_map(|seat| {
                let options = live.view(Viewer::Seat(seat)).options();
                options.into_iter().map(move |command| (seat, command))
            });
            let acts = acts.collect::<Vec<_>>();
            let Some((seat, command)) = chance.pick(&acts).copied() else { break };
            let step = live.submit(Moment::from_millis(number), seat, command).unwrap();
            for viewer in Viewer::all(players) {
                let view = step.next().view(viewer);
                let sights = step.sights(viewer).collect::<Vec<_>>();
                let options = G::sent_options(&view);
                let around = UpdateHead {
                    code,
                    table: None,
                    you: viewer.seat(),
                    seq: number,
                    ack: (number % 3 == 0).then_some(7),
                    options: Some(&options),
                    help: None,
                    photo_finish: None,
                    show_at: number as f64 / 8.0,
                };
                let mut text = Vec::new();
                updates.write(G::NAME, &view, &sights, &around, &mut text);
                let whole = ServerMessage::Update(Box::new(Update {
                    code,
                    table: None,
                    you: None,
                    seq: number,
                    ack: around.ack,
                    sights: sights.into_iter().map(G::sent_sight).collect(),
                    view: Some(G::sent_view(view)),
                    options: Some(options.clone()),
                    help: None,
                    photo_finish: None,
                    show_at: around.show_at,
                }));
                assert_eq!(
                    String::from_utf8(text).unwrap(),
                    serde_json::to_string(&whole).unwrap()
                );
                count += 1;
            }
            live = step.commit();
        }
    }
    panic!("only {count} updates of {} were compared", G::NAME);
}

#[test]
fn parts_make_the_same_text_as_the_whole() {
    for &game in GameName::ALL {
        with_name!(game, G => compare::<G>());
    }
}
