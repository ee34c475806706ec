//! Whether play can have led to a state: what is read from a text is checked here.

use super::notation::mode_at;
use super::state::{Mode, Phase, Public, Soulmates};
use crate::family::ritual::first_wrong;
use crate::family::{Card, Cards, Focus, mistakes};
use crate::kit::BySeat;

impl Soulmates {
    /// Fails with the reason if play cannot have led here.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        self.public.check()?;
        self.check_cards()?;
        self.check_seer()?;
        self.check_pile()
    }

    /// Where the cards are.
    fn check_cards(&self) -> Result<(), &'static str> {
        let Self { public, drawn, hands, pile, .. } = self;
        let players = usize::from(public.setup.players);
        let held = hands.values().collect::<Cards>();
        let held_len = hands.values().map(|hand| u32::from(hand.len())).sum::<u32>();
        let placed = held | pile.cards();
        let placed_len = held_len + u32::from(pile.len());
        let dealt = !matches!(public.phase, Phase::Looking | Phase::Hinting);
        let laid = |seat| pile.iter().filter(|laid| laid.seat == seat).count() as u8;
        first_wrong(&[
            (!Cards::deck(Self::HIGHEST).contain(*drawn), "the cards are those from 1 to 50"),
            (drawn.len() != public.in_play(), "draw as many cards as the level says"),
            (u32::from(placed.len()) != placed_len, "a card is in two places at once"),
            (
                pile.iter().any(|laid| laid.seat.index() >= players),
                "the pile names a seat that the table does not have",
            ),
            (!dealt && !placed.is_empty(), "no card is dealt before the hints are given"),
            (
                dealt && placed != *drawn,
                "every card drawn is in a hand or on the pile, and no other",
            ),
            (
                dealt && public.dealt().iter().any(|(seat, n)| hands[seat].len() + laid(seat) != n),
                "cards are dealt one by one from the Seer's left",
            ),
            (
                matches!(public.phase, Phase::Focus(_) | Phase::Playing) && held.is_empty(),
                "play is over when no card is held, give hands=",
            ),
            (
                matches!(public.phase, Phase::Focus(Focus { underway: false, .. }))
                    && !pile.is_empty(),
                "a pile has been begun, write refocus",
            ),
            (
                !matches!(public.phase, Phase::Focus(_) | Phase::Playing) && !held.is_empty(),
                "cards are held in focus and in play only",
            ),
            (!self.each_lowest_first(), "everyone's cards go down lowest first"),
        ])
    }

    /// What the Seer has seen and written.
    fn check_seer(&self) -> Result<(), &'static str> {
        let Self { public, drawn, looked, .. } = self;
        let (row, slate) = (public.row(), public.slate);
        let all_seen = public.seer_has_seen_all();
        let wiped = matches!(public.phase, Phase::Looking | Phase::Hinting) || public.revealed();
        let most = u32::from(row.hints) + u32::from(public.attempt.saturating_sub(1));
        first_wrong(&[
            (all_seen && looked != drawn, "after a failed attempt the Seer has seen every card"),
            (
                !(all_seen || drawn.contain(*looked) && looked.len() == public.looked_at()),
                "the Seer looks at as many of the cards drawn as the level says",
            ),
            (!looked.contain(slate), "the Seer hints at cards that the Seer has seen"),
            (u32::from(slate.len()) > most, "the Seer gave more hints than allowed"),
            (wiped && !slate.is_empty(), "the slate is empty before the hints and after the level"),
        ])
    }

    /// Whether the pile is in order, where that is known.
    fn check_pile(&self) -> Result<(), &'static str> {
        let wrong = mistakes(&self.pile) > 0;
        first_wrong(&[
            (self.public.failed() && !wrong, "the pile is in order, so the attempt has not failed"),
            (self.public.revealed() && wrong, "the pile is not in order, so no level is complete"),
            (
                self.public.mode != mode_at(self.public.level, self.public.phase, &self.pile),
                "the extra levels that are complete follow from the level, leave extra= out",
            ),
        ])
    }

    /// Whether what went down was always the lowest card of its owner (S6).
    fn each_lowest_first(&self) -> bool {
        self.hands.iter().all(|(seat, hand)| {
            let laid = self.pile.iter().filter(|laid| laid.seat == seat).map(|laid| laid.card);
            let laid = laid.chain(hand.iter()).collect::<Vec<Card>>();
            laid.is_sorted()
        })
    }
}

impl Public {
    /// Whether the Seer has seen every card in play: an attempt at the level has failed (S7).
    pub(super) fn seer_has_seen_all(&self) -> bool {
        self.attempt > 1 || self.failed()
    }

    /// The most lives that the team can have left after what happened on this level.
    pub(super) fn lives_most(&self) -> u8 {
        let spent = self.attempt.saturating_sub(1);
        match self.phase {
            Phase::Amending => self.setup.lives.saturating_sub(self.attempt),
            Phase::Over { .. } if self.failed() => 0,
            _ => self.setup.lives.saturating_sub(spent),
        }
    }

    /// How many cards everyone gets, dealt one by one from the Seer's left (S5).
    fn dealt(&self) -> BySeat<u8> {
        let mut dealt = BySeat::new(self.setup.players, |_| 0);
        let mut seat = self.seer;
        for _ in 0..self.row().cards {
            seat = seat.left(self.setup.players);
            dealt[seat] += 1;
        }
        dealt
    }

    fn check(&self) -> Result<(), &'static str> {
        let Self { setup, level, attempt, lives, seer, phase, mode, .. } = self;
        let levels = setup.first_level()..=setup.table.levels_with_beyond();
        let last = *level == setup.table.levels();
        // A failed attempt cost a life each, but for the one that ended the game.
        let failures = match phase {
            Phase::Amending => u32::from(*attempt),
            _ => u32::from(attempt.saturating_sub(1)),
        };
        first_wrong(&[
            (!levels.contains(level), "the set-up has no such level"),
            (
                seer.index() >= usize::from(setup.players),
                "the Seer sits at a seat that the table does not have",
            ),
            (
                setup.seer_of(*level).is_some_and(|named| named != *seer),
                "by the set-up's first_seer= another player is the Seer of this level",
            ),
            (*attempt == 0, "attempts are counted from 1"),
            (
                matches!(phase, Phase::Looking | Phase::Hinting) && *attempt > 1,
                "the first hints are given before the first attempt, write phase=amend",
            ),
            (
                u32::from(*lives) + failures > u32::from(setup.lives),
                "every failed attempt costs a life and none is regained, give fewer lives",
            ),
            (
                matches!(phase, Phase::Over { .. }) && self.failed() && *lives > 0,
                "a team with lives plays on after a failed attempt, write phase=amend",
            ),
            (
                matches!(phase, Phase::Over { won: false }) && *mode != Mode::Game,
                "beyond the game nothing is lost any more, write phase=won",
            ),
            (
                matches!(phase, Phase::Over { won: true }) && *mode == Mode::Game && !last,
                "the game is won at its last level",
            ),
            (
                matches!(phase, Phase::Offer { .. }) && !(last && setup.table.goes_beyond()),
                "only after level 12 the team may go on",
            ),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&str, &str>) {
        let found = text.parse::<Soulmates>();
        let found = found.map(|state| state.to_string()).map_err(|e| e.to_string());
        assert_eq!(found, expected.map(str::to_owned).map_err(str::to_owned), "{text}");
    }

    #[test]
    fn what_is_left_out_is_filled_in() {
        check(
            "players=2 | drawn=9,5,7,3",
            Ok("players=2 | level=1 attempt=1 lives=3 seer=A phase=hint slate=- drawn=3,5,7,9 \
                looked=3,5,7 hands=-/- pile=- since_us=0"),
        );
        check(
            "players=2 | slate=9 hands=3,7/5,9",
            Ok("players=2 | level=1 attempt=1 lives=3 seer=A phase=play slate=9 drawn=3,5,7,9 \
                looked=3,5,9 hands=3,7/5,9 pile=- since_us=0"),
        );
        check(
            "players=2 first_seer=B table=2/0/0,3/0/0 | level=2 phase=amend pile=B3,A2,A4",
            Err("cards are dealt one by one from the Seer's left"),
        );
        check(
            "players=2 first_seer=B table=2/0/0,3/0/0 | level=2 phase=amend attempt=2 pile=A3,B2,B4",
            Ok("players=2 table=2/0/0,3/0/0 first_seer=B | level=2 attempt=2 lives=1 seer=A \
                phase=amend slate=- drawn=2,3,4 looked=2,3,4 hands=-/- pile=A3,B2,B4 since_us=0"),
        );
    }

    #[test]
    fn impossible_tables_are_refused_with_what_is_wrong() {
        let wrong = |position: &str, text: &str| {
            check(&format!("players=2 table=2/1/1,2/2/0 | {position}"), Err(text));
        };
        let no_level = "the set-up has no such level";
        wrong("level=0 hands=1/2", no_level);
        wrong("level=3 hands=1/2", no_level);
        wrong("level=255 hands=1/2", no_level);
        wrong("seer=C hands=1/2", "the Seer sits at a seat that the table does not have");
        wrong("attempt=0 hands=1/2", "attempts are counted from 1");
        wrong(
            "attempt=2 drawn=1,2",
            "the first hints are given before the first attempt, write phase=amend",
        );
        let lives = "every failed attempt costs a life and none is regained, give fewer lives";
        wrong("lives=4 hands=1/2", lives);
        wrong("lives=3 attempt=2 hands=1/2", lives);
        wrong("lives=3 phase=amend pile=B2,A1", lives);
        wrong("attempt=255 hands=1/2", lives);
        wrong(
            "lives=1 phase=lost pile=B2,A1",
            "a team with lives plays on after a failed attempt, write phase=amend",
        );
        wrong("phase=won pile=B1,A2", "the game is won at its last level");
        wrong("level=2 phase=offer pile=B1,A2", "only after level 12 the team may go on");
        wrong("hands=1/51", "the cards are those from 1 to 50");
        wrong("hands=1/2,3", "draw as many cards as the level says");
        wrong("drawn=1,2 hands=2/2", "a card is in two places at once");
        wrong("hands=1/- pile=C2", "the pile names a seat that the table does not have");
        wrong("phase=hint hands=1/2", "no card is dealt before the hints are given");
        wrong("drawn=1,3 hands=1/2", "every card drawn is in a hand or on the pile, and no other");
        wrong("hands=1,2/-", "cards are dealt one by one from the Seer's left");
        wrong("pile=B1,A2", "play is over when no card is held, give hands=");
        wrong("phase=focus hands=1/- pile=B2", "a pile has been begun, write refocus");
        wrong("phase=amend hands=1/2", "cards are held in focus and in play only");
        wrong(
            "looked=- hands=1/2",
            "the Seer looks at as many of the cards drawn as the level says",
        );
        wrong(
            "looked=3 hands=1/2",
            "the Seer looks at as many of the cards drawn as the level says",
        );
        wrong(
            "attempt=2 looked=1 hands=1/2",
            "after a failed attempt the Seer has seen every card",
        );
        wrong("slate=1 looked=2 hands=1/2", "the Seer hints at cards that the Seer has seen");
        wrong("level=2 slate=1 hands=1/2", "the Seer gave more hints than allowed");
        wrong("drawn=1,2 slate=1", "the slate is empty before the hints and after the level");
        wrong("phase=amend pile=B1,A2", "the pile is in order, so the attempt has not failed");
        wrong("level=2 phase=won pile=B2,A1", "the pile is not in order, so no level is complete");
        wrong(
            "extra=0 hands=1/2",
            "the extra levels that are complete follow from the level, leave extra= out",
        );
        wrong(
            "phase=play:A hands=1/2",
            "phase: a phase is one of look, hint, focus, refocus, play, amend, offer, won, lost",
        );
        wrong("phase=offer:AB hands=1/2", "phase: name some of the seats, but not all of them");
        check(
            "players=2 table=4/0/0 | pile=B2,B1 hands=3,4/-",
            Err("everyone's cards go down lowest first"),
        );
        check(
            "players=2 first_seer=A | seer=B drawn=1,2,3,4",
            Err("by the set-up's first_seer= another player is the Seer of this level"),
        );
        check(
            "players=2 | level=13 phase=lost drawn=1",
            Err("beyond the game nothing is lost any more, write phase=won"),
        );
    }
}
