//! The effects of a table, as the task that drives it sees them.

use rules::door::GameName;
use rules::kit::{Preset, Seat, Seed};
use table::fair::Stamp;
use table::{
    AppendFailure, ConnId, Effect, Effects, Founding, Input, LinkState, Message, Origin, Person,
    PersonId, Settings, Table, Ticket,
};
use wire::{Request, Setup};

const ADA: ConnId = ConnId(1);
const BOB: ConnId = ConnId(2);

fn person(conn: ConnId) -> Person {
    let id = PersonId::from_hash([conn.0 as u8; 32]);
    Person { id, name: format!("P{}", conn.0).parse().unwrap(), mark: None, lends_tempo: false }
}

/// A table for two where both sit, the first of them as host.
struct Two {
    table: Table,
    now: Stamp,
    ids: u32,
}

impl Two {
    fn new() -> Self {
        let setup = Setup::of(GameName::Mind, 2, Preset::Faithful).unwrap();
        let code = "k3f9ab".parse().unwrap();
        let founding = Founding { setup, public: false, by: person(ADA).id, deal: None };
        let state = founding.found(code).unwrap().state;
        let now = Stamp::from_millis(1_000);
        let table = Table::new(code, state, Settings::default(), Seed::from(1), now);
        let mut two = Self { table, now, ids: 0 };
        for conn in [ADA, BOB] {
            two.hand(Input::Joined {
                conn,
                person: person(conn),
                by: code,
                from: Origin::default(),
                link: LinkState::default(),
            });
            two.ask(conn, Request::Sit(Seat::new(conn.0 as usize - 1).unwrap()));
            two.hand(Input::Appended);
        }
        two
    }

    fn hand(&mut self, input: Input) -> Effects {
        self.now = self.now.after(std::time::Duration::from_millis(1));
        self.table.handle(self.now, input)
    }

    fn ask(&mut self, conn: ConnId, request: Request) -> Effects {
        self.ids += 1;
        let ticket = Ticket::of(conn.0 as u32, self.ids, &request);
        self.hand(Input::Message { conn, ticket, message: Message::Ask(request) })
    }
}

/// Everything that was sent to a connection.
fn texts(effects: &Effects, conn: ConnId) -> String {
    let texts = effects.list.iter().filter_map(|effect| match effect {
        Effect::Send { to, text } if *to == conn => Some(String::from_utf8_lossy(text)),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn appends(effects: &Effects) -> usize {
    effects.list.iter().filter(|effect| matches!(effect, Effect::Append(_))).count()
}

#[test]
fn the_others_are_told_who_is_gone_although_the_journal_cannot_write() {
    let mut two = Two::new();
    let left = two.hand(Input::Left { conn: ADA, seen_until: two.now });
    assert_eq!(appends(&left), 1, "the host is passed on");
    assert_eq!(texts(&left, BOB), "", "nothing is told before it is durable");
    let failed = two.hand(Input::AppendFailed(AppendFailure::Fault("the disk is full".into())));
    assert!(texts(&failed, BOB).contains(r#""here":false"#), "{}", texts(&failed, BOB));
}

#[test]
fn a_player_who_is_away_never_becomes_host() {
    let mut two = Two::new();
    two.hand(Input::Left { conn: BOB, seen_until: two.now });
    let seat = Seat::new(1).unwrap();
    let away = two.ask(ADA, Request::PassHost(seat));
    assert_eq!(appends(&away), 0);
    assert!(texts(&away, ADA).contains("not-here"), "{}", texts(&away, ADA));
    two.hand(Input::Joined {
        conn: BOB,
        person: person(BOB),
        by: "k3f9ab".parse().unwrap(),
        from: Origin::default(),
        link: LinkState::default(),
    });
    assert_eq!(appends(&two.ask(ADA, Request::PassHost(seat))), 1);
}

#[test]
fn a_connection_that_joins_again_is_told_everything_again() {
    let mut two = Two::new();
    let again = Input::Joined {
        conn: ADA,
        person: person(ADA),
        by: "k3f9ab".parse().unwrap(),
        from: Origin::default(),
        link: LinkState::default(),
    };
    let again = two.hand(again);
    assert!(texts(&again, ADA).contains(r#""table":{"#));
    let admitted = again.list.iter().filter(|effect| matches!(effect, Effect::Admit(ADA)));
    assert_eq!(admitted.count(), 1);
}
