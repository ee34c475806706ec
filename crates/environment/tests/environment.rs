//! Whole games of every game by agents that choose at random: what holds in each of them.

use std::time::Duration;

use environment::{
    Actions, Autoreset, Batch, Buffers, EnvironmentGame, EnvironmentName, Options, SeatPlan,
};
use rules::door::GameName;
use rules::kit::{Chance, Match, Moment, Seat, Seed, TableSetup, View as _, Viewer};
use table::{Cause, Deal, Luck, open_match};
use wire::Setup;

/// One game with its arrays.
struct Table {
    batch: Batch,
    observations: Vec<f32>,
    masks: Vec<i8>,
    rewards: Vec<f32>,
    terminated: [bool; 1],
    truncated: [bool; 1],
}

impl Table {
    fn open(name: &str, setup: &str, seats: &[&str], seed: Seed) -> Self {
        let mut options = Options::new(name.parse().unwrap(), setup).unwrap();
        let read = |text: &&str| SeatPlan::read(&options.setup, text).unwrap();
        if !seats.is_empty() {
            options.seats = seats.iter().map(read).collect();
        }
        options.limits.steps = 3_000;
        let batch = options.batch(1, Autoreset::Disabled).unwrap();
        let agents = batch.agents();
        let mut table = Self {
            observations: vec![0.0; agents * batch.observation_len()],
            masks: vec![0; agents * batch.commands()],
            rewards: vec![0.0; agents],
            terminated: [false],
            truncated: [false],
            batch,
        };
        table.batch.reset(0, seed, &mut table.observations, &mut table.masks);
        table
    }

    fn step(&mut self, commands: &[i32], waits_s: &[f32]) {
        let buffers = Buffers {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            finals: None,
        };
        self.batch.step(Actions { commands, waits_s }, buffers).unwrap();
    }

    fn is_over(&self) -> bool {
        self.terminated[0] || self.truncated[0]
    }

    /// A permitted command for each agent; one that ends or stops play is chosen seldom.
    fn any_commands(&self, chance: &mut Chance) -> Vec<i32> {
        let width = self.batch.commands();
        let names = self.batch.command_names();
        let of = |mask: &[i8], chance: &mut Chance| {
            let permitted = (1..width).filter(|place| mask[*place] == 1);
            let rare = ["lift", "stop", "raise", "lower", "mark", "unmark"];
            let is_rare = |place: usize| rare.iter().any(|word| names[place].starts_with(word));
            let usual = permitted.clone().filter(|place| !is_rare(*place)).collect::<Vec<_>>();
            let all = permitted.collect::<Vec<_>>();
            let choice = if chance.once_in(20) { &all } else { &usual };
            chance.pick(choice).map_or(0, |place| i32::try_from(*place).unwrap())
        };
        self.masks.chunks(width).map(|mask| of(mask, chance)).collect()
    }
}

/// Every game and number of players, with some of the table options.
const TABLES: [(&str, &str); 11] = [
    ("mind", "players=2"),
    ("mind", "players=3 face=blind first_level=2 lives=5"),
    ("mind", "players=4 seeding=fixed"),
    ("extreme", "players=2"),
    ("extreme", "players=3 blind_cost=one-per-level"),
    ("extreme", "players=4 seeding=fixed"),
    ("soulmates", "players=2"),
    ("soulmates", "players=5 table=gentle"),
    ("soulmates", "players=3 seeding=fixed table=6/4/3,7/4/2"),
    ("royale", "players=2 rounds=2 aid_count=on aid_shade=on"),
    ("royale", "players=3 rounds=3 seeding=fixed"),
];

fn wait_s(chance: &mut Chance) -> f32 {
    (chance.below(4_000) as f32) / 1_000.0
}

/// The server's own match, played by the same commands, deals the same cards and sends the same
/// views and options at every step.
#[test]
fn games_are_dealt_and_shown_as_the_server_deals_and_shows_them() {
    let mut compared = 0;
    for (game, text) in TABLES {
        for number in 0..6 {
            let seed = Seed::from(100 + number);
            let setup = Setup::read(game.parse::<GameName>().unwrap(), text).unwrap();
            let deal = text.contains("seeding=fixed").then(|| Deal::fixed(seed));
            let mut server = open_match(&setup, Luck { seed, deal }, 0);
            server.begin();
            let mut table = Table::open(&format!("{game}-event-v0"), text, &[], seed);
            let mut chance = Chance::new(Seed::from(number), 1);
            let (mut now_us, mut steps) = (0, 0);
            while !table.is_over() && steps < 400 {
                for (agent, seat) in Seat::all(setup.players()).enumerate() {
                    let sent = table.batch.sent(0, agent).unwrap();
                    let (view, options) = server.shown(rules::kit::Viewer::Seat(seat), false);
                    assert_eq!(sent.view, serde_json::to_string(&view).unwrap());
                    assert_eq!(sent.options, serde_json::to_string(&options).unwrap());
                    compared += 1;
                }
                let commands = table.any_commands(&mut chance);
                let waits = commands.iter().map(|_| wait_s(&mut chance)).collect::<Vec<_>>();
                // The earliest plan happens: of the server's match, too.
                let plans = commands.iter().zip(&waits).enumerate();
                let plans = plans.filter(|(_, (command, _))| **command != 0);
                let wait = |wait_s: f32| Duration::from_secs_f64(f64::from(wait_s));
                let micros = |wait_s: f32| wait(wait_s).as_micros() as u64;
                let first = plans.min_by_key(|(_, (_, wait_s))| micros(**wait_s));
                if let Some((agent, (command, wait_s))) = first {
                    now_us += micros(*wait_s);
                    let place = usize::try_from(*command).unwrap();
                    let command = table.batch.command(0, agent, place).unwrap();
                    let (at, seat) = (Moment::from_micros(now_us), Seat::new(agent).unwrap());
                    let cause =
                        Cause { seat, ticket: None, arrived: at, pressed: None, fair: None };
                    server.propose(at, &cause, &command).unwrap();
                    server.commit();
                } else {
                    now_us += 1_000_000;
                }
                table.step(&commands, &waits);
                steps += 1;
            }
        }
    }
    assert!(compared > 5_000, "only {compared} views were compared");
}

/// Whatever other seats hold, an observation, a mask and what is sent follow from the seat's view:
/// two games whose hidden cards differ look the same to the seat that cannot see them.
#[test]
fn observations_hold_nothing_hidden() {
    let mut compared = 0;
    for (game, text) in TABLES {
        let name = game.parse::<GameName>().unwrap();
        rules::with_name!(name, G => compared += leaks::<G>(text));
    }
    assert!(compared > 3_000, "only {compared} observations were compared");
}

fn leaks<G: EnvironmentGame>(text: &str) -> usize {
    let setup = text.parse::<G::Setup>().unwrap();
    let mut live = Match::<G>::open(&setup, Seed::from(5)).commit();
    let mut compared = 0;
    for number in 0..200 {
        let mut chance = Chance::new(Seed::from(9), number);
        for seat in Seat::all(setup.players()) {
            let view = live.view(Viewer::Seat(seat));
            let twin = G::imagine(&view, &mut chance).view(Viewer::Seat(seat));
            let row = |view: &G::View| environment::observed::<G>(&setup, view, live.at());
            assert_eq!(row(&view), row(&twin), "{text}: {view}");
            compared += 1;
        }
        let acts = Seat::all(setup.players()).flat_map(|seat| {
            let options = live.view(Viewer::Seat(seat)).options();
            options.into_iter().map(move |command| (seat, command))
        });
        let acts = acts.collect::<Vec<_>>();
        let Some((seat, command)) = chance.pick(&acts).copied() else { break };
        let at = Moment::from_millis(700 * (number + 1));
        live = live.submit(at, seat, command).unwrap().commit();
    }
    compared
}

/// The same seed and the same actions give the same game, by both clocks and with partners whose
/// waits are drawn at random.
#[test]
fn a_seed_and_actions_repeat_a_game() {
    let tables: [(&str, &str, &[&str]); 5] = [
        ("mind-event-v0", "players=2", &["agent", "human:mixture"]),
        ("mind-tick-v0", "players=3", &["agent", "kindred", "agent"]),
        ("extreme-tick-v0", "players=2", &["human:thesis", "agent"]),
        ("soulmates-event-v0", "players=3", &["agent", "steady", "human"]),
        ("royale-event-v0", "players=2 rounds=2", &["agent", "novice"]),
    ];
    for (name, text, seats) in tables {
        let play = |seed: u64| {
            let mut table = Table::open(name, text, seats, Seed::from(seed));
            let mut chance = Chance::new(Seed::from(3), 3);
            let mut rows = Vec::new();
            for _ in 0..300 {
                if table.is_over() {
                    break;
                }
                let commands = table.any_commands(&mut chance);
                let waits = commands.iter().map(|_| wait_s(&mut chance)).collect::<Vec<_>>();
                table.step(&commands, &waits);
                rows.push((table.observations.clone(), table.rewards.clone()));
            }
            rows
        };
        let first = play(11);
        assert!(first.len() > 8, "{name}: {} steps", first.len());
        assert!(first == play(11), "{name} does not repeat");
        assert!(first != play(12), "{name} deals the same for another seed");
    }
}

/// Rewards are what their parts say: over a whole game the levels that were completed, the lives
/// that were lost and the victory.
#[test]
fn rewards_add_up_to_the_result() {
    let mut options =
        Options::new("mind-event-v0".parse().unwrap(), "players=2 levels=3 lives=5").unwrap();
    options.rewards = environment::Rewards { level: 1.0, life: -0.01, win: 100.0 };
    let seats = ["agent", "linear:1"];
    options.seats =
        seats.map(|text| SeatPlan::read(&options.setup, text).unwrap()).into_iter().collect();
    let batch = options.batch(1, Autoreset::Disabled).unwrap();
    let (numbers, commands) = (batch.observation_len(), batch.commands());
    let lowest = batch.fields().iter().find(|field| field.name == "lowest").unwrap().start;
    let top = batch.fields().iter().find(|field| field.name == "top").unwrap().start;
    let mut table = Table {
        observations: vec![0.0; numbers],
        masks: vec![0; commands],
        rewards: vec![0.0],
        terminated: [false],
        truncated: [false],
        batch,
    };
    table.batch.reset(0, Seed::from(4), &mut table.observations, &mut table.masks);
    let place = |name: &str| {
        let names = table.batch.command_names();
        names.iter().position(|other| other == name).unwrap()
    };
    let (rest, play) = (place("rest"), place("play"));
    let mut sum = 0.0;
    while !table.is_over() {
        let command = [play, rest].into_iter().find(|place| table.masks[*place] == 1);
        // The partner waits a second for each number, and so does the agent: no mistake is made.
        // With an empty hand there is no card to wait for.
        let wait_s = (table.observations[lowest] - table.observations[top]).max(0.0);
        let command = i32::try_from(command.unwrap_or(0)).unwrap();
        table.step(&[command], &[wait_s]);
        sum += table.rewards[0];
    }
    assert_eq!(table.batch.end(0), Some("won"));
    assert!((sum - 103.0).abs() < 1e-3, "{sum}");
}

/// Bad arguments are refused with a text that says what to write.
#[test]
fn wrong_options_say_what_would_be_right() {
    let name = |text: &str| text.parse::<EnvironmentName>().unwrap();
    let check = |seats: &[&str], text: &str| {
        let mut options = Options::new(name("mind-event-v0"), "players=2").unwrap();
        let setup = options.setup;
        let read = seats.iter().map(|seat| SeatPlan::read(&setup, seat)).collect();
        let error = match read {
            Err(error) => {
                let error: environment::PartnerError = error;
                error.to_string()
            }
            Ok(seats) => {
                options.seats = seats;
                let batch = options.batch(1, Autoreset::Disabled);
                batch.err().map_or_else(String::new, |error| error.to_string())
            }
        };
        assert!(error.contains(text), "{seats:?}: {error:?}");
    };
    check(&["agent"], "name as many as players");
    check(&["steady", "steady"], "name one of them \"agent\"");
    check(&["agent", "nonesuch"], "choose from random, steady");
    check(&["agent", "human:nonesuch"], "choose from base, fast");
    check(&["agent", "linear:0"], "linear:SECONDS");
    check(&["agent", "matched"], "seat one: human:POPULATION");
    let error = Options::new(name("mind-event-v0"), "players=9").unwrap_err().to_string();
    assert!(error.contains("it takes 2 to 6"), "{error}");
    let json = r#"{"royale":{}}"#;
    assert!(Options::new(name("mind-event-v0"), json).is_err());
}
