//! The size of messages: every play is sent to every viewer.

use rules::family::{FocusCommand, OfferCommand};
use rules::kit::{Match, Moment, Seat, Seed, Viewer};
use rules::mind::{Command, Mind};
use wire::{Options, ServerMessage, Update, WireGame};

/// The mean length of an update that brings one card, over whole games of The Mind.
const MEAN_MOST: usize = 340;

/// Four players play all twelve levels card by card; each update goes to each of them.
#[test]
fn an_update_that_brings_one_card_is_short() {
    let mut lengths = vec![];
    for seed in 0..4 {
        let setup = "players=4 levels=12 lives=5".parse().unwrap();
        let mut live = Match::<Mind>::open(&setup, Seed::from(seed)).commit();
        let mut seq = 0;
        while live.outcome().is_none() {
            let (seat, command) = next(&live);
            let step = live.submit(Moment::START, seat, command).unwrap();
            for viewer in Seat::all(4).map(Viewer::Seat) {
                let sights = step.sights(viewer).map(Mind::sent_sight).collect::<Vec<_>>();
                seq += sights.len() as u64;
                // The last card of a level brings the next deal with it.
                if matches!(command, Command::Play(_)) && sights.len() == 1 {
                    let view = step.next().view(viewer);
                    let update = Update {
                        code: "k3f9ab".parse().unwrap(),
                        table: None,
                        you: None,
                        seq,
                        ack: (viewer == Viewer::Seat(seat)).then_some(17),
                        sights,
                        options: Some(Mind::sent_options(&view)),
                        view: Some(Mind::sent_view(view)),
                        help: None,
                        photo_finish: None,
                        show_at: 1_234_567.8,
                    };
                    let message = ServerMessage::Update(Box::new(update));
                    lengths.push(serde_json::to_string(&message).unwrap().len());
                }
            }
            live = step.commit();
        }
    }
    assert!(lengths.len() > 4 * 4 * 290, "only {} updates brought a card", lengths.len());
    let mean = lengths.iter().sum::<usize>() / lengths.len();
    let most = lengths.iter().max().unwrap_or(&0);
    println!("{} updates of one card: {mean} bytes in the mean, {most} at most", lengths.len());
    assert!(mean <= MEAN_MOST, "{mean} bytes in the mean, {most} at most");
}

/// The next command in a game without a mistake: rest a hand, or play the lowest card.
fn next(live: &Match<Mind>) -> (Seat, Command) {
    let options = Seat::all(4).flat_map(|seat| {
        let view = live.view(Viewer::Seat(seat));
        let Options::Mind(options) = Mind::sent_options(&view) else { panic!("another game") };
        options.into_iter().map(move |command| (seat, command))
    });
    let wanted = |(seat, command): (Seat, Command)| match command {
        Command::Focus(FocusCommand::Rest) => Some((0, seat, command)),
        Command::Offer(OfferCommand::Finish) => Some((0, seat, command)),
        Command::Play(card) => Some((card.number(), seat, command)),
        Command::Focus(_) | Command::Offer(_) | Command::Vote(_) => None,
    };
    let first = options.filter_map(wanted).min_by_key(|(order, _, _)| *order);
    first.map(|(_, seat, command)| (seat, command)).expect("a player can act")
}
