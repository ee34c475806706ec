//! A reader gives back what was written: whole views, and the table of the last update that had one.

#[allow(dead_code, reason = "other tests use the rest")]
mod samples;

use rules::door::GameName;
use rules::kit::Seat;
use rules::with_name;
use wire::{Reader, ServerMessage, Table, Update, WireGame};

/// Views of every game, of every phase and for every viewer, by way of one reader each.
#[test]
fn views_of_every_game_read_back() {
    for &game in GameName::ALL {
        with_name!(game, G => check_views::<G>());
    }
}

fn check_views<G: WireGame>() {
    let mut compared = 0;
    samples::seen_in_examples::<G>(|setup, viewer, view, sights| {
        let table = samples::table(setup, samples::playing());
        let mut written = samples::bare_update(Some(table), viewer.seat());
        (written.view, written.sights) = (Some(view.without_since()), sights.to_vec());
        let mut sent = written.clone();
        sent.view = Some(*view);
        let mut reader = Reader::default();
        assert_eq!(read(&mut reader, &sent), written);
        // The next one leaves the table out, and is the same once it is read.
        (sent.table, sent.you) = (None, None);
        assert_eq!(read(&mut reader, &sent), written);
        compared += 1;
    });
    assert!(compared > 20, "only {compared} views of {} were compared", G::NAME);
}

#[test]
fn each_table_is_remembered_for_itself() {
    let mut reader = Reader::default();
    let table = |code: &str, spectator_count| Table {
        code: samples::read(code),
        spectator_count,
        ..samples::table(samples::setups()[0].1, samples::playing())
    };
    let (first, second) = (table("k3f9ab", 1), table("m4n7pq", 2));
    read(&mut reader, &samples::bare_update(Some(first.clone()), Some(Seat::A)));
    read(&mut reader, &samples::bare_update(Some(second.clone()), None));

    let mut bare = samples::bare_update(None, None);
    let known = read(&mut reader, &bare);
    assert_eq!((known.table, known.you), (Some(first), Some(Seat::A)));
    bare.code = second.code;
    let known = read(&mut reader, &bare);
    assert_eq!((known.table, known.you), (Some(second), None));

    // A player who stood up is sent the table without a seat.
    let left = table("k3f9ab", 2);
    read(&mut reader, &samples::bare_update(Some(left.clone()), None));
    let known = read(&mut reader, &samples::bare_update(None, None));
    assert_eq!((known.table, known.you), (Some(left), None));
}

#[test]
fn an_update_of_an_unknown_table_is_refused() {
    let text =
        serde_json::to_string(&ServerMessage::Update(Box::new(samples::bare_update(None, None))))
            .unwrap();
    let error = Reader::default().read(&text).unwrap_err().to_string();
    assert!(error.contains("nothing was said of this table"), "{error}");
}

fn read(reader: &mut Reader, update: &Update) -> Update {
    let text = serde_json::to_string(&ServerMessage::Update(Box::new(update.clone()))).unwrap();
    match reader.read(&text) {
        Ok(ServerMessage::Update(update)) => *update,
        other => panic!("{text}\nwas read as {other:?}"),
    }
}
