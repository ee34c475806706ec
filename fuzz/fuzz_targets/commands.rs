//! Any stream of commands from any seats, at any game.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rules::door::GameName;
use rules::with_name;
use rules::kit::{Imagine, Match, Moment, Seat, Seed, View, Viewer};

/// Each line is a seat, a number and a command: the command itself if it can be read, otherwise
/// the option of that number.
struct Send<'a>(&'a str);

impl Send<'_> {
    fn visit<G: Imagine>(self) {
        let mut lines = self.0.lines();
        let Some(setup) = lines.next().and_then(|line| line.parse::<G::Setup>().ok()) else { return };
        let mut live = Match::<G>::open(&setup, Seed::from(0)).commit();
        for line in lines.take(400) {
            let bytes = line.as_bytes();
            let seat = bytes.first().and_then(|byte| Seat::new(usize::from(byte % 6)));
            let (Some(seat), Some(number)) = (seat, bytes.get(1)) else { continue };
            let at = Moment::from_micros(live.at().micros() + u64::from(number % 3));
            let view = live.view(Viewer::Seat(seat));
            let options = view.options();
            let written = line.get(2..).and_then(|text| text.parse::<G::Command>().ok());
            let picked = options.get(usize::from(*number) % options.len().max(1)).copied();
            let Some(command) = written.or(picked) else { continue };
            let permitted = view.permits(&command).is_ok();
            assert_eq!(permitted, options.contains(&command));
            match live.submit(at, seat, command) {
                Ok(step) => live = step.commit(),
                Err(_) => assert!(!permitted || seat.index() >= usize::from(live.state().players())),
            }
        }
    }
}

fuzz_target!(|text: &str| {
    for &game in GameName::ALL {
        with_name!(game, G => Send(text).visit::<G>());
    }
});
