//! Any text, read as everything that has a notation.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rules::door::GameName;
use rules::with_name;
use rules::kit::{Chance, Imagine, Match, Moment, Seat, Seed, View, Viewer};

struct Read<'a>(&'a str);

impl Read<'_> {
    fn visit<G: Imagine>(self) {
        let _ = self.0.parse::<G::Setup>().map(|setup| round_trip(&setup));
        let _ = self.0.parse::<G::Command>().map(|command| round_trip(&command));
        let _ = self.0.parse::<G::Event>().map(|event| round_trip(&event));
        if let Ok(state) = self.0.parse::<G>() {
            round_trip(&state);
            play_on(Match::resume(state, Seed::from(0), 0, Moment::START));
        }
    }
}

fn round_trip<T: PartialEq + std::fmt::Debug + ToString + std::str::FromStr>(value: &T) {
    assert_eq!(value.to_string().parse().ok().as_ref(), Some(value));
}

/// Every state that can be read can be viewed and played.
fn play_on<G: Imagine>(mut live: Match<G>) {
    let mut chance = Chance::new(Seed::from(1), 0);
    for _ in 0..32 {
        for viewer in Viewer::all(live.state().players()) {
            let view = live.view(viewer);
            assert_eq!(G::imagine(&view, &mut chance).view(viewer), view);
        }
        let seat = Seat::new(chance.below(5) as usize).unwrap_or_default();
        let options = live.view(Viewer::Seat(seat)).options();
        if let Some(command) = chance.pick(&options) {
            live = live.submit(live.at(), seat, *command).expect("an option is permitted").commit();
        }
    }
}

fuzz_target!(|text: &str| {
    for &game in GameName::ALL {
        with_name!(game, G => Read(text).visit::<G>());
    }
    let _ = rules::examples::run(text);
});
