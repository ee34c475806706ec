//! What the partners are worth, in short runs with fixed seeds. A failure is repeated by
//! `cargo test -p lab --test partners NAME`.

use bots::{Bot, Curve, Kin, Prior, Timing};
use lab::{Cast, People, Role, Study, Table, Tally, play_many, waits_in, watch_game};
use rules::extreme::Extreme;
use rules::family::{Card, Cards, FocusCommand, FocusNotice, VoteCommand, VoteNotice};
use rules::kit::{BySeat, Chance, Game as _, Imagine, Match, Moment, Seat, Seed, Viewer};
use rules::mind::{Command, Event, Mind, Notice, Phase};
use rules::soulmates::Soulmates;

fn cast(roles: &str, people: People, timing: Timing) -> Cast {
    let roles = roles.split(',').map(|role| role.parse::<Role>().unwrap()).collect();
    Cast { roles, people, timing, curve: Curve::COMMON, pace_s: 0.3, stars: true }
}

fn play<G: Study + Kin>(cast: &Cast, games: u64, seed: u64) -> Tally {
    let setup = format!("players={}", cast.roles.len()).parse::<G::Setup>().unwrap();
    let seated = |luck: &mut Chance| cast.seat::<G>(luck);
    play_many(&Table::<G> { setup: &setup, cast: &seated }, games, seed, &|_| ())
}

fn model(weber: f64) -> People {
    People::model(1.0, 0.39, weber)
}

/// With perfect clocks nothing goes wrong, whatever the game and however many play.
#[test]
fn perfect_clocks_win_every_game() {
    fn check<G: Study + Kin>(players: usize) {
        for role in ["kindred", "unison"] {
            let roles = vec![role; players].join(",");
            let tally = play::<G>(&cast(&roles, model(0.1), Timing::EXACT), 12, 3);
            assert_eq!((tally.won, tally.mistakes), (12, 0), "{} by {roles}", G::NAME);
        }
    }
    for players in 2..=4 {
        check::<Mind>(players);
        check::<Extreme>(players);
    }
    for players in 2..=5 {
        check::<Soulmates>(players);
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let seats = cast("human,kindred,steady", model(0.15), Timing::EXACT);
    let by = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| play::<Mind>(&seats, 200, 11))
    };
    let one = by(1);
    assert_eq!(one, by(2));
    assert_eq!(one, by(5));
    assert_ne!(one, play::<Mind>(&seats, 200, 12));
}

/// The model of the lab gives what others have found for a linear player.
#[test]
fn a_linear_player_wins_as_often_as_expected() {
    let noisy = Timing { weber: 0.15, motor_s: 0.1 };
    let two = play::<Mind>(&cast("linear,linear", model(0.1), noisy), 2_000, 5).win();
    assert!((two.share - 0.40).abs() < 0.04, "{two:?}");
    let four = play::<Mind>(&cast("linear,linear,linear,linear", model(0.1), noisy), 1_000, 5);
    assert!((four.win().share - 0.34).abs() < 0.05, "{:?}", four.win());
}

/// So it does for linear players with one person of unknown pace, told it or not.
#[test]
fn a_person_and_linear_players_win_as_often_as_expected() {
    for (players, weber, linear, matched) in [(2, 0.10, 0.33, 0.96), (3, 0.15, 0.37, 0.94)] {
        for (role, expected) in [("linear", linear), ("matched", matched)] {
            let roles = [&["human"][..], &vec![role; players - 1]].concat().join(",");
            let mut seats = cast(&roles, model(weber), Timing::EXACT);
            (seats.stars, seats.pace_s) = (false, 1.0);
            let win = play::<Mind>(&seats, 1_500, 5).win();
            assert!((win.share - expected).abs() < 0.03, "{roles}: {win:?}");
        }
    }
}

#[test]
fn the_common_curve_beats_the_linear_player_in_the_same_time() {
    let noisy = Timing { weber: 0.15, motor_s: 0.1 };
    let linear = play::<Mind>(&cast("linear,linear", model(0.1), noisy), 2_000, 5);
    let unison = play::<Mind>(&cast("unison,unison", model(0.1), noisy), 2_000, 5);
    assert!(unison.play_s() <= linear.play_s() * 1.02, "{} s", unison.play_s());
    assert!(unison.win().low > 0.85, "{:?}", unison.win());
}

#[test]
fn kindred_finds_the_tempo_of_a_person() {
    for (roles, weber, least) in
        [("human,kindred", 0.10, 0.89), ("human,kindred,kindred", 0.15, 0.87)]
    {
        let mut seats = cast(roles, model(weber), Timing::EXACT);
        seats.stars = false;
        let win = play::<Mind>(&seats, 400, 9).win();
        assert!(win.share > least, "{roles}: {win:?}");
    }
}

/// People whose pace follows that of others, and people whose pace changes with every deal.
#[test]
fn kindred_keeps_the_tempo_of_people_who_change() {
    let adapting = |adaptation| {
        let mut people = model(0.15);
        people.change.adaptation = adaptation;
        people
    };
    let mut drifting = model(0.15);
    drifting.change.drift_log_sd = 0.15;
    for (roles, people, least) in [
        ("human,kindred", adapting(0.1), 0.66),
        ("human,kindred", adapting(0.3), 0.66),
        ("human,kindred", adapting(0.5), 0.64),
        ("human,human,kindred", adapting(0.3), 0.35),
        ("human,kindred", drifting, 0.45),
    ] {
        let change = people.change;
        let mut seats = cast(roles, people, Timing::EXACT);
        seats.stars = false;
        let win = play::<Mind>(&seats, 400, 9).win();
        assert!(win.share > least, "{roles}, {change:?}: {win:?}");
    }
}

/// In Soulmates no card sets the clock and a failed attempt shows little, and a slow person is far
/// from what is expected.
#[test]
fn kindred_finds_the_tempo_of_a_slow_person_where_cards_lie_face_down() {
    let people = People::model(3.2, 0.39, 0.1);
    for (roles, least) in [("human,kindred", 0.62), ("human,kindred,kindred", 0.68)] {
        let win = play::<Soulmates>(&cast(roles, people.clone(), Timing::EXACT), 400, 9).win();
        assert!(win.share > least, "{roles}: {win:?}");
    }
}

/// A partner that is told the person loses less than one that is told the population, and that one
/// less than a linear player who knows nothing.
#[test]
fn the_more_a_partner_is_told_the_more_it_wins() {
    let mistakes = |role: &str| {
        let mut seats = cast(&format!("human,{role}"), model(0.15), Timing::EXACT);
        (seats.stars, seats.pace_s) = (false, 1.0);
        play::<Mind>(&seats, 24, 5).mistakes_per_level()
    };
    let [told, informed, linear] = ["told", "informed", "linear"].map(mistakes);
    assert!(told < informed && informed < linear, "{told} {informed} {linear}");
}

/// A star is proposed once every player's tempo has been observed, and hardly any is left unused.
#[test]
fn kindred_spends_stars_but_not_before_it_has_heard_all_players() {
    let seats = cast("human,kindred", model(0.2), Timing::EXACT);
    let setup = "players=2".parse().unwrap();
    let table = Table::<Mind> { setup: &setup, cast: &|luck| seats.seat::<Mind>(luck) };
    let (mut spent, mut games) = (0, 0);
    for game in 0..40 {
        let mut heard = [false; 2];
        watch_game(&table, 8, game, |_, event| match event {
            Event::Played { laid, .. } => heard[laid.seat.index()] = true,
            Event::Notice(Notice::Vote(VoteNotice::Raised(_))) => {
                assert_eq!(heard, [true; 2], "game {game}");
            }
            Event::Notice(Notice::Starred { .. }) => spent += 1,
            _ => {}
        });
        games += 1;
    }
    assert!(spent > 2 * games, "{spent} stars in {games} games");
}

/// A player proposes a star after a silence: Kindred agrees if another player may well hold a lower
/// card than its own, and otherwise plays.
#[test]
fn kindred_agrees_to_a_star_by_the_risk() {
    fn agrees(card: u8, silent_s: u64) -> bool {
        let setup = "players=2".parse().unwrap();
        let chair = Seat::new(1).unwrap();
        let hand = |seat| Cards::one(Card::new(if seat == chair { card } else { 99 }).unwrap());
        let dealt = Event::Dealt { level: 1, hands: BySeat::new(2, hand) };
        let mut live = Match::<Mind>::replay(&setup, Seed::from(0), [(Moment::START, dealt)]);
        let mut kindred = bots::Kindred::<Mind>::new(Prior::UNKNOWN_PLAYER);
        let mut luck = Chance::new(Seed::from(1), 0);
        let mut show = |at, events: &[Event]| {
            for event in events {
                kindred.watch(&setup, at, &Mind::witness(event, Viewer::Seat(chair)).unwrap());
            }
        };
        show(Moment::START, &[dealt]);
        let raised = Moment::from_millis(1_000 * silent_s);
        let (rest, raise) = (FocusCommand::Rest.into(), VoteCommand::Raise.into());
        let said: [(Seat, Command); 3] = [(Seat::A, rest), (chair, rest), (Seat::A, raise)];
        for ((seat, command), at) in said.into_iter().zip([Moment::START, Moment::START, raised]) {
            let step = live.submit(at, seat, command).unwrap();
            show(at, step.events());
            live = step.commit();
        }
        let plan = kindred.plan(&live.view(Viewer::Seat(chair)), raised, &mut luck);
        plan.unwrap().1 == VoteCommand::Raise.into()
    }
    assert!(agrees(50, 1), "half the deck may be lower");
    assert!(agrees(10, 1), "another player may be slow");
    assert!(!agrees(10, 30), "no player is that slow");
    assert!(!agrees(1, 1), "nothing is lower");
}

/// A hand that no other player follows holds the card back for less than two seconds beyond the
/// moment at which it was due.
#[test]
fn a_raised_hand_holds_its_card_back_only_for_an_answer() {
    let setup = "players=2".parse().unwrap();
    let chair = Seat::new(1).unwrap();
    let mut people = model(0.2);
    people.stars.agree = 0.0;
    let mut compared = 0;
    for seed in 0..12 {
        let mut person = people.person::<Mind>(&mut Chance::new(Seed::from(seed), 0));
        let mut kindred = bots::Kindred::<Mind>::new(Prior::UNKNOWN_PLAYER);
        let mut lucks = [Chance::new(Seed::from(seed), 1), Chance::new(Seed::from(seed), 2)];
        let mut step = Match::<Mind>::open(&setup, Seed::from(seed));
        let mut latest = None;
        for _ in 0..200 {
            let at = step.next().at();
            for event in step.events() {
                person.watch(&setup, at, &Mind::witness(event, Viewer::Seat(Seat::A)).unwrap());
                kindred.watch(&setup, at, &Mind::witness(event, Viewer::Seat(chair)).unwrap());
            }
            let live = step.commit();
            let view = live.view(Viewer::Seat(chair));
            if !matches!(view.public.phase, Phase::Focus(_) | Phase::Playing { .. }) {
                break;
            }
            let other_luck = &mut Chance::new(Seed::from(seed), 3);
            let due = kindred.clone().without_stars().plan(&view, live.at(), other_luck);
            let plan = kindred.plan(&view, live.at(), &mut lucks[1]);
            if let (Some(latest), Some((at, Command::Play(_)))) = (latest.take(), plan) {
                assert!(at <= latest, "seed {seed}: {at:?} instead of {latest:?}");
                compared += 1;
            }
            let first = person.plan(&live.view(Viewer::Seat(Seat::A)), live.at(), &mut lucks[0]);
            let plans = [(first, Seat::A), (plan, chair)].into_iter();
            let plans = plans.filter_map(|(plan, seat)| plan.map(|(at, what)| (at, seat, what)));
            let Some((at, seat, command)) = plans.min_by_key(|(at, seat, _)| (*at, *seat)) else {
                break;
            };
            if seat == chair && command == VoteCommand::Raise.into() {
                let answered = at.after(std::time::Duration::from_secs(2));
                latest = due.map(|(due, _)| due.max(answered));
            }
            step = live.submit(at, seat, command).unwrap();
        }
    }
    assert!(compared >= 10, "{compared} raised hands");
}

/// However late a card is, and however certain: a hand needs a moment after the last card or the
/// lifting of hands. People who play far quicker than it can expect make every card late.
#[test]
fn kindred_never_presses_faster_than_a_hand_can() {
    const HAND_S: f64 = 0.2;
    let people = People::model(0.06, 0.3, 0.2);
    let setup = "players=3".parse().unwrap();
    let seats = cast("human,kindred,kindred", people.clone(), Timing::EXACT);
    let table = Table::<Mind> { setup: &setup, cast: &|luck| seats.seat::<Mind>(luck) };
    let mut presses = 0;
    for game in 0..40 {
        let mut since = Moment::START;
        watch_game(&table, 8, game, |at, event| match event {
            Event::Played { laid, .. } => {
                let wait_s = since.until(at).as_secs_f64();
                if laid.seat != Seat::A {
                    assert!(wait_s >= HAND_S, "game {game}: {wait_s} s before {laid:?}");
                    presses += 1;
                }
                since = at;
            }
            Event::Notice(Notice::Focus(FocusNotice::Begun)) => since = at,
            _ => {}
        });
    }
    assert!(presses > 500, "{presses} presses");
    check_hand::<Extreme>(&people, HAND_S);
    check_hand::<Soulmates>(&people, HAND_S);
}

fn check_hand<G: Study + Kin>(people: &People, least_s: f64) {
    let setup = "players=2".parse::<G::Setup>().unwrap();
    let seats = cast("human,kindred", people.clone(), Timing::EXACT);
    let table = Table::<G> { setup: &setup, cast: &|luck| seats.seat::<G>(luck) };
    let waits = waits_in(&table, 30, 8);
    let presses = waits[1].iter().filter(|wait| wait.played()).map(tempo::Waited::time_s);
    let (least, count) =
        presses.fold((f64::MAX, 0), |(least, count), wait_s| (least.min(wait_s), count + 1));
    assert!(count > 20 && least >= least_s, "{}: {count} presses, least {least} s", G::NAME);
}

/// Two states that look alike to a chair bring the same plan.
#[test]
fn a_plan_is_a_function_of_the_view() {
    fn check<G: Study + Kin + Imagine>(setup: &str) {
        let setup = setup.parse::<G::Setup>().unwrap();
        let seats = cast("kindred,kindred,kindred", model(0.1), Timing::EXACT);
        for seed in 0..6 {
            let mut bots = seats.seat::<G>(&mut Chance::new(Seed::from(seed), 0));
            let mut step = Match::<G>::open(&setup, Seed::from(seed));
            for number in 0..150 {
                let at = step.next().at();
                for event in step.events() {
                    for (bot, seat) in bots.iter_mut().zip(Seat::all(3)) {
                        let sight = G::witness(event, Viewer::Seat(seat)).unwrap();
                        bot.watch(&setup, at, &sight);
                    }
                }
                let live = step.commit();
                let mut plans = Vec::new();
                for (bot, seat) in bots.iter_mut().zip(Seat::all(3)) {
                    let view = live.view(Viewer::Seat(seat));
                    let other = G::imagine(&view, &mut Chance::new(Seed::from(seed), number));
                    let chance = || Chance::new(Seed::from(77), number);
                    let plan = bot.plan(&view, live.at(), &mut chance());
                    let again = bot.plan(&other.view(Viewer::Seat(seat)), live.at(), &mut chance());
                    assert_eq!(plan, again, "{} seed {seed} step {number}", G::NAME);
                    plans.extend(plan.map(|(at, command)| (at, seat, command)));
                }
                let first = plans.into_iter().min_by_key(|(at, seat, _)| (*at, *seat));
                let Some((at, seat, command)) = first else { break };
                step = live.submit(at, seat, command).unwrap();
            }
        }
    }
    check::<Mind>("players=3");
    check::<Extreme>("players=3");
    check::<Soulmates>("players=3");
}

/// A bot that is shown all sights again has learnt the same, so it can be rebuilt from a journal.
#[test]
fn what_was_learnt_follows_from_what_was_seen() {
    let setup = "players=2".parse().unwrap();
    let people = model(0.1);
    let mut person = people.person::<Mind>(&mut Chance::new(Seed::from(4), 0));
    let mut first = bots::Kindred::<Mind>::new(Prior::UNKNOWN_PLAYER);
    let mut seen = Vec::new();
    let mut step = Match::<Mind>::open(&setup, Seed::from(4));
    let chair = Viewer::Seat(Seat::new(1).unwrap());
    let mut lucks = [Chance::new(Seed::from(5), 0), Chance::new(Seed::from(5), 1)];
    for _ in 0..80 {
        let at = step.next().at();
        for event in step.events() {
            person.watch(&setup, at, &Mind::witness(event, Viewer::Seat(Seat::A)).unwrap());
            let sight = Mind::witness(event, chair).unwrap();
            first.watch(&setup, at, &sight);
            seen.push((at, sight));
        }
        let live = step.commit();
        if !matches!(live.view(chair).public.phase, Phase::Focus(_) | Phase::Playing { .. }) {
            return;
        }
        let mut again = bots::Kindred::<Mind>::new(Prior::UNKNOWN_PLAYER);
        for (at, sight) in &seen {
            again.watch(&setup, *at, sight);
        }
        let tempo = |kindred: &bots::Kindred<Mind>| {
            kindred.ledger().map(|ledger| ledger.partner(Seat::A).tempo().expected())
        };
        assert_eq!(tempo(&first), tempo(&again));
        let plans = [
            person.plan(&live.view(Viewer::Seat(Seat::A)), live.at(), &mut lucks[0]),
            first.plan(&live.view(chair), live.at(), &mut lucks[1]),
        ];
        let plans = plans
            .into_iter()
            .zip(Seat::all(2))
            .filter_map(|(plan, seat)| plan.map(|(at, command)| (at, seat, command)));
        let (at, seat, command) = plans.min_by_key(|(at, ..)| *at).unwrap();
        step = live.submit(at, seat, command).unwrap();
    }
}

/// The population of the logs is what `unspoken fit` wrote, to the letter.
#[test]
fn the_fitted_population_is_as_it_was_written() {
    let text = include_str!("../../../humans/thesis.toml");
    let people = People::read(text).unwrap();
    assert_eq!(toml::to_string(&people).unwrap(), text);
    assert_eq!(people.name, "thesis");
}

/// Half the wait after another player's card, the whole after one's own and after a deal.
#[test]
fn a_wait_that_anothers_card_began_can_be_shorter() {
    let mut people = People::model(0.5, 0.0, 0.0);
    people.noise.motor_s = 0.0;
    people.curve.after_other = 0.5;
    let mut person = people.person::<Mind>(&mut Chance::new(Seed::from(1), 0));
    let state = "players=2 | hands=20,40/10,60".parse::<Mind>().unwrap();
    let mut live = Match::resume(state, Seed::from(0), 1, Moment::START);
    let mut plan = |live: &Match<Mind>| {
        let luck = &mut Chance::new(Seed::from(2), 0);
        person.plan(&live.view(Viewer::Seat(Seat::A)), live.at(), luck).unwrap()
    };
    let seconds = |at: Moment| at.micros() as f64 / 1e6;
    assert!((seconds(plan(&live).0) - 10.0).abs() < 1e-3);
    let ten = "play 10".parse().unwrap();
    live = live.submit(Moment::from_millis(5_000), Seat::new(1).unwrap(), ten).unwrap().commit();
    let (at, twenty) = plan(&live);
    assert!((seconds(at) - 7.5).abs() < 1e-3, "{at:?}");
    live = live.submit(at, Seat::A, twenty).unwrap().commit();
    assert!((seconds(plan(&live).0) - 17.5).abs() < 1e-3);
}
