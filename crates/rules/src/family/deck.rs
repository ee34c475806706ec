//! Cards in a random order, drawn one after the other.

use super::card::{Card, Cards};
use crate::kit::Chance;

/// A pack to draw from. The order is made as the cards are drawn.
pub struct Deck {
    cards: [Card; Card::HIGHEST as usize],
    left: usize,
}

impl Deck {
    /// A pack of these cards.
    pub fn of(cards: Cards) -> Self {
        let mut deck = Self { cards: [Card::default(); Card::HIGHEST as usize], left: 0 };
        for card in cards.iter() {
            deck.cards[deck.left] = card;
            deck.left += 1;
        }
        deck
    }

    /// Draws one card, each equally likely.
    pub fn draw(&mut self, chance: &mut Chance) -> Option<Card> {
        let last = self.left.checked_sub(1)?;
        let drawn = chance.below(self.left as u32) as usize;
        self.cards.swap(drawn, last);
        self.left = last;
        Some(self.cards[last])
    }

    /// Draws that number of cards, fewer if the deck runs out.
    pub fn draw_many(&mut self, count: u8, chance: &mut Chance) -> Cards {
        (0..count).map_while(|_| self.draw(chance)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::Seed;

    #[test]
    fn every_card_comes_once() {
        let mut chance = Chance::new(Seed::from(1), 0);
        let mut deck = Deck::of(Cards::deck(50));
        assert_eq!(deck.draw_many(60, &mut chance), Cards::deck(50));
        assert_eq!(deck.draw(&mut chance), None);
    }

    #[test]
    fn every_card_is_as_likely_to_come_first() {
        let mut chance = Chance::new(Seed::from(2), 0);
        let mut counts = [0_u32; 101];
        for _ in 0..100_000 {
            let first = Deck::of(Cards::deck(100)).draw(&mut chance).unwrap();
            counts[usize::from(first.number())] += 1;
        }
        let chi2: f64 = counts[1..].iter().map(|n| (f64::from(*n) - 1e3).powi(2) / 1e3).sum();
        // The 99.9 % point of chi-square with 99 degrees of freedom.
        assert!(chi2 < 148.2, "chi-square {chi2}");
    }
}
