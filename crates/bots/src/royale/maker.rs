//! How a bot chooses the code that it hides.

use std::fmt;
use std::str::FromStr;

use rules::kit::Chance;
use rules::royale::{Card, Code, Pack};
use solver::Solver;

/// How a code is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Maker {
    /// Every code is as likely as any other (Y1).
    #[default]
    Uniform,
    /// One of the codes that take good play longest; which of them is left to chance.
    Cunning,
}

/// Buffers that are reused for each code.
const ROOM_BITS: u32 = 12;

impl Maker {
    /// A code of the pack; `None` if the pack has no three cards.
    pub fn choose(self, pack: Pack, chance: &mut Chance) -> Option<Code> {
        match self {
            Self::Uniform => {
                let mut cards = pack.iter().collect::<Vec<_>>();
                <[Card; 3]>::try_from(&*chance.draw(&mut cards, 3)).ok().and_then(Code::new)
            }
            Self::Cunning => {
                let mut costs = Solver::with_room(ROOM_BITS).costs(pack);
                // Always choosing the most expensive code would be predictable: any of the most
                // expensive quarter is good enough, including all that cost the same as the last of
                // them.
                costs.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
                let last = costs.get(costs.len().div_ceil(4).max(1) - 1)?.1;
                let dear = costs.partition_point(|(_, rows)| *rows >= last);
                chance.pick(&costs[..dear]).map(|(code, _)| *code)
            }
        }
    }
}

impl fmt::Display for Maker {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Uniform => "uniform",
            Self::Cunning => "cunning",
        })
    }
}

impl FromStr for Maker {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "uniform" => Ok(Self::Uniform),
            "cunning" => Ok(Self::Cunning),
            _ => Err("a codemaker is uniform or cunning"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::kit::Seed;

    fn mean_cost(maker: Maker, pack: Pack) -> f64 {
        let costs = Solver::with_room(ROOM_BITS).costs(pack);
        let cost = |code: Code| costs.iter().find(|(other, _)| *other == code).unwrap().1;
        let codes = (0..200).map(|step| {
            maker
                .choose(pack, &mut Chance::new(Seed::from(8), step))
                .expect("the pack is large enough")
        });
        codes.map(|code| f64::from(cost(code))).sum::<f64>() / 200.0
    }

    #[test]
    fn cunning_codes_take_good_play_longer() {
        let pack = "A1,A2,B1,B3,C2,C4,D4,D5,E1,E5".parse().unwrap();
        let (uniform, cunning) = (mean_cost(Maker::Uniform, pack), mean_cost(Maker::Cunning, pack));
        assert!(cunning > uniform + 0.5, "{cunning} against {uniform}");
    }

    #[test]
    fn cunning_is_not_always_the_same() {
        let pack = "A1,A2,B1,B3".parse().unwrap();
        let code = |step| Maker::Cunning.choose(pack, &mut Chance::new(Seed::from(8), step));
        assert!((1..20).any(|step| code(step) != code(0)));
    }

    #[test]
    fn makers_are_read_as_they_are_written() {
        for maker in [Maker::Uniform, Maker::Cunning] {
            assert_eq!(maker.to_string().parse(), Ok(maker));
        }
    }
}
