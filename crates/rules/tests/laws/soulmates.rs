//! What the laws need to know about Soulmates.

use rules::family::{Card, Cards, FocusCommand, OfferCommand, Seen};
use rules::kit::{Chance, Game, Seat, View as _, Viewer};
use rules::soulmates::{Command, Phase, Soulmates, View};

use crate::harness::{Lawful, first_who_may, views};

/// Twelve small levels, where a failed attempt tells the others the most.
macro_rules! twelve {
    () => {
        "1/0/0,2/2/2,2/1/1,2/0/0,3/3/3,3/2/0,3/1/1,4/4/2,4/3/3,5/0/0,3/2/2,1/1/1"
    };
}

impl Lawful for Soulmates {
    const SETUPS: &'static [&'static str] = &[
        "players=2",
        "players=3",
        "players=4",
        "players=5",
        "players=3 table=gentle lives=5 preset=friendly",
        "players=4 table=gentle first_seer=C lives=1 preset=research",
        concat!("players=2 lives=5 table=", twelve!()),
        concat!("players=3 lives=5 first_seer=B table=", twelve!()),
        concat!("players=5 table=", twelve!()),
        "players=2 lives=2 table=2/0/0,3/1/0,50/1/1",
    ];

    const REVEALS: &'static [&'static str] = &["looked", "dealt", "failed", "completed"];

    fn any_command(chance: &mut Chance) -> Command {
        let card = |chance: &mut Chance| Card::new(1 + chance.below(51) as u8).unwrap();
        let hints = (0..chance.below(4)).map(|_| card(chance)).collect::<Cards>();
        let mut all = vec![Command::Look];
        all.extend(FocusCommand::ALL.iter().copied().map(Command::Focus));
        all.extend(OfferCommand::ALL.iter().copied().map(Command::Offer));
        all.extend([Command::Play(card(chance)), Command::Hint(hints)]);
        *chance.pick(&all).unwrap()
    }

    fn guide(state: &Self) -> (Seat, Command) {
        let (_, table) = views(state).next().unwrap();
        match table.public.phase {
            Phase::Looking => (table.public.seer, Command::Look),
            Phase::Hinting | Phase::Amending => {
                let seer = table.public.seer;
                let options = state.view(Viewer::Seat(seer)).options();
                (seer, *options.last().unwrap())
            }
            Phase::Focus(_) => first_who_may(state, FocusCommand::Rest.into()),
            Phase::Offer { .. } => first_who_may(state, OfferCommand::Continue.into()),
            Phase::Playing | Phase::Over { .. } => {
                let lowest = |(seat, view): (Seat, View)| Some((view.hand().lowest()?, seat));
                let (card, seat) = views(state).filter_map(lowest).min().unwrap();
                (seat, Command::Play(card))
            }
        }
    }

    /// As many different cards as the level says, each in one place, dealt evenly; and the Seer
    /// knows no other cards and has written no other cards on the slate.
    fn conserved(state: &Self) -> Result<(), String> {
        let (mut all, mut total, mut sizes) = (Cards::NONE, 0, vec![]);
        for (seat, view) in views(state) {
            let laid = view.pile.iter().filter(|card| card.seat() == seat);
            let own = view.hand() | laid.filter_map(Seen::card).collect::<Cards>();
            (all, total) = (all | own, total + own.len());
            sizes.push(own.len());
        }
        let table = state.view(Viewer::Spectator).public;
        let seer = state.view(Viewer::Seat(table.seer)).vision.known();
        let row = table.row();
        let dealt = !matches!(table.phase, Phase::Looking | Phase::Hinting);
        let wanted = if dealt { row.cards } else { 0 };
        if total != wanted || all.len() != total || !Cards::deck(50).contain(all) {
            return Err(format!("{all} are {total} cards for {wanted}"));
        }
        if sizes.iter().max() > sizes.iter().min().map(|least| least + 1).as_ref() {
            return Err(format!("{sizes:?} were dealt"));
        }
        if (dealt && !all.contain(seer))
            || !seer.contain(table.slate)
            || seer.len() < table.looked_at()
        {
            return Err(format!(
                "the Seer has seen {seer} of {all}, the slate says {}",
                table.slate
            ));
        }
        Ok(())
    }
}
