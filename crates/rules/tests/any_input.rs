//! No input to a public function panics: texts, commands, set-ups, journals.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use rules::door::GameName;
use rules::kit::{Chance, Imagine, Match, Moment, Seat, Seed, View, Viewer};
use rules::with_name;

/// What notation is made of: mixed at random it comes close to being right, which plain noise
/// never does.
const PIECES: &[&str] = &[
    "players=2",
    "players=3",
    "players=5",
    "players=0",
    "players=255",
    "levels=12",
    "lives=5",
    "lives=0",
    "stars=3",
    "level=1",
    "level=12",
    "level=255",
    "table=oo,bb+star",
    "table=-",
    "table=4/3/1",
    "table=50/50/50",
    "rounds=2",
    "variant=series",
    "round=2",
    "round=24",
    "preset=friendly",
    "blind=0",
    "blind=255",
    "blind_cost=one-per-level",
    "phase=play",
    "phase=play:A",
    "phase=focus:ABCDE",
    "phase=choose:A",
    "phase=offer",
    "phase=won",
    "phase=hint",
    "phase=amend",
    "phase=break",
    "phase=hide",
    "hands=1/2",
    "hands=1,2,3/4,5,6",
    "hands=100/-",
    "hands=w1,r50/w2",
    "hands=-/-",
    "pile=A1,B2",
    "white=A1",
    "red=B50",
    "lead=white:1",
    "lead=red:255",
    "aside=1/2",
    "aside=w1/-",
    "choices=white/-",
    "seer=A",
    "seer=E",
    "first_seer=B",
    "first_level=2",
    "first_level=255",
    "face=blind",
    "first_maker=B",
    "drawn=1,2,3,4",
    "looked=1,2,3",
    "slate=1",
    "attempt=1",
    "attempt=255",
    "code=A1,B2,C3",
    "colours=AAB:1b",
    "shapes=112",
    "covered=A1,A2,A3",
    "marks=-/B3",
    "scores=0/0",
    "since_us=18446744073709551615",
    "|",
    "dealt",
    "played",
    "A1",
    "A34",
    "w8",
    "r33",
    "1/2",
    "w1/r2",
    "erred",
    "starred",
    "turned",
    "mistakes=255",
    "cost=255",
    "checked",
    "completed",
    "255",
    "life",
    "one_sided=white",
    "won",
    "lost",
    "rested",
    "A",
    "E",
    "F",
    "begun",
    "stopped",
    "raised",
    "agreed",
    "encored",
    "chose",
    "white",
    "choosing",
    "play",
    "100",
    "rest",
    "choose",
    "hint",
    "1,2",
    "-",
    "hide",
    "A1,B2,C3",
    "ask",
    "AAB",
    "112",
    "mark",
    "B3",
    "drawn",
    "looked",
    "hinted",
    "failed",
    "revealed",
    "hidden",
    "asked",
    "marked",
    "game",
    "mind",
    "start",
    "do",
    "expect",
    "hides",
    "sees",
    "refuse",
    "because",
    "chance",
    "open",
    "\n",
    "[M1]",
    "=",
    "mistakes",
    "1-2-3",
    "answer",
    "…",
    "é",
    "A*",
    "*3",
];

fn texts() -> impl Strategy<Value = String> {
    let soup = vec(select(PIECES), 0..14).prop_map(|words| words.join(" "));
    prop_oneof![8 => soup, 1 => any::<String>()]
}

/// Everything that can be done with a text and some luck, in one game.
struct Poke<'a> {
    text: &'a str,
    other: &'a str,
    luck: u64,
}

impl Poke<'_> {
    fn visit<G: Imagine>(self) {
        let mut chance = Chance::new(Seed::from(self.luck), 0);
        let _ = serde_json::from_str::<G::Command>(self.text);
        let _ = serde_json::from_str::<G::Event>(self.text);
        let setup = self.text.parse::<G::Setup>().ok();
        if let Some(setup) = setup {
            let live = Match::<G>::open(&setup, Seed::from(self.luck)).commit();
            play_on(live, &mut chance);
            // Events that no game made: any of them is folded without a panic.
            let events = [self.other, self.text].into_iter().filter_map(|text| text.parse().ok());
            let events = events.map(|event: G::Event| (Moment::from_micros(self.luck), event));
            look(&Match::<G>::replay(&setup, Seed::from(self.luck), events), &mut chance);
        }
        if let Ok(state) = self.text.parse::<G>() {
            assert_eq!(state.to_string().parse(), Ok(state), "{} read from {:?}", state, self.text);
            play_on(Match::resume(state, Seed::from(self.luck), 0, Moment::START), &mut chance);
        }
    }
}

/// Looks at the table from every side, chairs included that it does not have.
fn look<G: Imagine>(live: &Match<G>, chance: &mut Chance) {
    for viewer in Viewer::all(Seat::MOST as u8) {
        let view = live.view(viewer);
        let _ = (view.to_string(), view.options().len(), view.may_talk());
        let _ = (G::certain(&view), G::imagine(&view, chance).view(viewer));
    }
    let _ = (live.state().to_string(), live.outcome());
}

/// Sends commands from every seat, permitted or not, and goes on from what was accepted.
fn play_on<G: Imagine>(mut live: Match<G>, chance: &mut Chance) {
    for _ in 0..40 {
        look(&live, chance);
        let seat = Seat::new(chance.below(5) as usize).unwrap();
        let options = live.view(Viewer::Seat(seat)).options();
        let other = live.view(Viewer::Seat(seat.left(5))).options();
        let at = Moment::from_micros(u64::from(chance.below(3)));
        for command in [chance.pick(&options).copied(), chance.pick(&other).copied()] {
            let Some(Ok(step)) = command.map(|command| live.submit(at, seat, command)) else {
                continue;
            };
            for event in step.events() {
                for viewer in Viewer::all(Seat::MOST as u8) {
                    let _ = G::witness(event, viewer).map(|sight| sight.to_string());
                    let _ = G::imagine_event(event, viewer, chance);
                }
            }
            live = step.commit();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn no_text_is_too_much_for_a_game(text in texts(), other in texts(), luck in any::<u64>()) {
        for &game in GameName::ALL {
            with_name!(game, G => Poke { text: &text, other: &other, luck }.visit::<G>());
        }
    }

    #[test]
    fn no_file_of_examples_is_too_much(
        game in select(GameName::ALL),
        lines in vec(texts(), 0..8),
    ) {
        rules::examples::run(&lines.join("\n"));
        rules::examples::run(&format!("game {game}\n[M1] x\n{}", lines.join("\n")));
    }
}

/// States near real ones: a printed table with one field taken from another.
#[test]
fn no_half_right_state_is_too_much() {
    fn mix<G: Imagine>() {
        let mut chance = Chance::new(Seed::from(1), 0);
        let mut printed = Vec::<String>::new();
        for seed in 0..60 {
            let setup = format!("players={}", 2 + seed % 4);
            let Ok(setup) = setup.parse::<G::Setup>() else { continue };
            let mut live = Match::<G>::open(&setup, Seed::from(seed)).commit();
            for _ in 0..60 {
                printed.push(live.state().to_string());
                let seat = Seat::new(chance.below(5) as usize).unwrap();
                let options = live.view(Viewer::Seat(seat)).options();
                if let Some(command) = chance.pick(&options) {
                    live = live.submit(live.at(), seat, *command).unwrap().commit();
                }
            }
        }
        for _ in 0..6_000 {
            let mut one = chance.pick(&printed).unwrap().split(' ').collect::<Vec<_>>();
            let other = chance.pick(&printed).unwrap().split(' ').collect::<Vec<_>>();
            let key = |word: &str| word.split('=').next().map(str::to_owned);
            let word = *chance.pick(&other).unwrap();
            for mine in &mut one {
                if key(mine) == key(word) {
                    *mine = word;
                }
            }
            if let Ok(state) = one.join(" ").parse::<G>() {
                play_on(Match::resume(state, Seed::from(2), 0, Moment::START), &mut chance);
            }
        }
    }

    for &game in GameName::ALL {
        with_name!(game, G => mix::<G>());
    }
}
