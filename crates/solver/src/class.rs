//! Packs up to renaming colours, renaming shapes and swapping the two.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use rules::royale::{Card, Code, Colour, Pack, Row, Shape, Triple, Zone};

/// A pack that stands for all that differ from it by names alone: of all of them the one whose
/// cards, read as a number, are the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class(u32);

/// How the names of a pack become those of its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renaming {
    /// Whether the class calls colours what the pack calls shapes.
    swap: bool,
    /// By kind, its name in the class; colours first.
    names: [[u8; 5]; 2],
}

impl Class {
    /// How many cards the packs of a match have, the first round's first.
    pub const SIZES: [u8; 8] = [25, 22, 19, 16, 13, 10, 7, 4];

    /// The class of a pack, and how to get there.
    pub fn of(pack: Pack) -> (Self, Renaming) {
        let rows = |swap: bool| {
            std::array::from_fn::<u8, 5, _>(|one| {
                let has =
                    |two: usize| pack.contains(card(if swap { [two, one] } else { [one, two] }));
                (0..5).filter(|two| has(*two)).fold(0, |row, two| row | 1 << two)
            })
        };
        let mut best = (0, Renaming { swap: false, names: [[0; 5]; 2] });
        for swap in [false, true] {
            let rows = rows(swap);
            for second in orders() {
                // Columns are renamed, then the rows are sorted.
                let renamed = rows.map(|row| second.rows[usize::from(row)]);
                let mut order = [0, 1, 2, 3, 4];
                order.sort_by_key(|one| renamed[*one]);
                let number = (0..5)
                    .fold(0, |all, place| all | u32::from(renamed[order[place]]) << (5 * place));
                if number > best.0 {
                    let mut first = [0; 5];
                    for (name, kind) in (0..).zip(order) {
                        first[kind] = name;
                    }
                    best = (number, Renaming { swap, names: [first, second.names] });
                }
            }
        }
        (Self(best.0), best.1)
    }

    /// The class of that number, if the number names one.
    pub fn from_number(number: u32) -> Option<Self> {
        let class = Self(number);
        (number < 1 << 25 && Self::of(class.pack()).0 == class).then_some(class)
    }

    /// Its cards as a number.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The pack that stands for it.
    pub fn pack(self) -> Pack {
        let cards = (0..25).filter(|index| self.0 >> index & 1 == 1);
        cards.map(|index| card([index / 5, index % 5])).collect()
    }

    /// How many cards its packs have.
    pub const fn size(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Every class of this size that can occur in a match, in the order of their numbers.
    pub fn all(size: u8) -> &'static [Self] {
        let round = Self::SIZES.iter().position(|other| *other == size);
        round.map_or(&[], |round| &CLASSES[round])
    }

    /// The classes of three cards less.
    fn fewer(classes: &[Self]) -> Vec<Self> {
        let packs = classes.iter().flat_map(|class| {
            let pack = class.pack();
            let threes = Code::all(pack).filter(|code| code.cards().is_sorted());
            threes.map(move |code| pack - code.pack())
        });
        packs.map(|pack| Self::of(pack).0).collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// The classes of each size, found once.
static CLASSES: LazyLock<[Vec<Class>; Class::SIZES.len()]> = LazyLock::new(|| {
    let mut classes = vec![Class::of(Pack::WHOLE).0];
    std::array::from_fn(|_| {
        let fewer = Class::fewer(&classes);
        std::mem::replace(&mut classes, fewer)
    })
});

impl Renaming {
    /// A row of the pack as the class calls it.
    pub fn rename(&self, row: Row) -> Row {
        let zone = self.zone(row.zone());
        let names = &self.names[index(zone)];
        Row::new(zone, renamed(row.triple(), |kind| names[usize::from(kind)]))
    }

    /// A row of the class as the pack calls it.
    pub fn restore(&self, row: Row) -> Row {
        let names = &self.names[index(row.zone())];
        let kind_of = |name: u8| (0..5).find(|kind| names[usize::from(*kind)] == name);
        // What the class calls colours may be the pack's shapes; swapping twice undoes it.
        let triple = renamed(row.triple(), |name| kind_of(name).unwrap_or(name));
        Row::new(self.zone(row.zone()), triple)
    }

    fn zone(&self, zone: Zone) -> Zone {
        match (self.swap, zone) {
            (false, zone) => zone,
            (true, Zone::Colours) => Zone::Shapes,
            (true, Zone::Shapes) => Zone::Colours,
        }
    }
}

const fn index(zone: Zone) -> usize {
    match zone {
        Zone::Colours => 0,
        Zone::Shapes => 1,
    }
}

fn renamed(triple: Triple, name: impl Fn(u8) -> u8) -> Triple {
    Triple::new(triple.kinds().map(name)).unwrap_or(triple)
}

fn card([colour, shape]: [usize; 2]) -> Card {
    Card::new(Colour::ALL[colour], Shape::ALL[shape])
}

/// An order of five kinds.
struct Order {
    /// By kind, its new name.
    names: [u8; 5],
    /// By a set of kinds, the set of their new names.
    rows: [u8; 32],
}

/// All 120 of them.
fn orders() -> &'static [Order] {
    static ORDERS: LazyLock<Vec<Order>> = LazyLock::new(|| {
        let all = (0..3125u16).map(|n| [625, 125, 25, 5, 1].map(|unit| (n / unit % 5) as u8));
        let orders = all.filter(|names| (0..5).all(|kind| names.contains(&kind)));
        let orders = orders.map(|names| Order {
            names,
            rows: std::array::from_fn(|row| {
                (0..5).fold(0, |all, kind| all | ((row >> kind & 1) as u8) << names[kind])
            }),
        });
        orders.collect()
    });
    &ORDERS
}
