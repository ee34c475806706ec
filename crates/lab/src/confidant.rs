//! A bot that is told how a person times their cards, or how a population does: upper bounds for
//! partners that learn.
//!
//! It weighs candidates for the person by everything that happens: one if it is told the person,
//! and otherwise some hundreds that are drawn from the population. It also weighs the cards that
//! each candidate may hold by their silences, and plays at the moment at which its own card most
//! likely comes in order.

use std::any::Any;

use bots::{Bot, Intent, Kin, Paced, Resolve, Run, Span, uniform};
use rules::family::{Card, Cards, FocusNotice, Hand, Laid, Seen};
use rules::kit::{Chance, Moment, Seat, Seed};
use rules::mind::{Command, Mind, Notice, Setup, Sight, View};

use crate::people::People;
use crate::person::Person;
use crate::simulation::Player;

/// The moments that are weighed: from a tenth of a second to about three minutes.
const MOMENTS: i32 = 150;
const FIRST_S: f64 = 0.1;
const RATIO: f64 = 1.05;
/// How many candidates are drawn from a population.
const CANDIDATES: usize = 240;
/// Candidates are drawn anew if they count for less than this share of their number.
const FEW: f64 = 0.4;
/// How much of a candidate is its own when they are drawn anew; the rest is the mean, and what is
/// lost of the variance is added as noise.
const OWN: f64 = 0.97;
/// Cards that are less likely are left out.
const UNLIKELY: f64 = 1e-4;

const PLACES: usize = Mind::HIGHEST as usize + 1;

/// The partner of one person at a table of two.
#[derive(Debug)]
pub struct Confidant {
    candidates: Vec<Candidate>,
    luck: Chance,
    run: Run,
    resolve: Resolve<Command>,
    /// The seat of this bot; unknown before its first plan.
    me: Option<Seat>,
    top: u8,
    /// How many cards are out.
    out: u8,
    started: Option<Moment>,
    /// Whether the person has already waited for the card that they wait for.
    same_card: bool,
    dealt: bool,
}

/// A person who may sit there.
#[derive(Clone, Debug)]
struct Candidate {
    person: Person<Mind>,
    weight: f64,
    /// By card, the probability of the silences since their last card if they hold that one next.
    silent: [f32; PLACES],
}

/// The partner that is told this person's timing, if it plays the game.
pub fn told<G: Kin>(person: Person<G>) -> Option<Player<G>> {
    let person = (&person as &dyn Any).downcast_ref::<Person<Mind>>()?;
    player(Confidant::told(*person))
}

/// The partner that is told a population, if it plays the game.
pub fn informed<G: Kin>(people: &People, luck: &mut Chance) -> Option<Player<G>> {
    player(Confidant::informed(people, luck))
}

fn player<G: Kin>(confidant: Confidant) -> Option<Player<G>> {
    let player: Player<Mind> = Box::new(confidant);
    (Box::new(player) as Box<dyn Any>).downcast::<Player<G>>().ok().map(|player| *player)
}

impl Confidant {
    /// A bot that knows this person's timing as the game begins. It follows a pace that adapts,
    /// and does not see one that drifts.
    pub fn told(person: Person<Mind>) -> Self {
        Self::new(vec![person], Chance::new(Seed::from(0), 0))
    }

    /// A bot that knows the population that the person comes from.
    pub fn informed(people: &People, luck: &mut Chance) -> Self {
        let mut luck = Chance::new(Seed::from(u64::from(luck.bits())), 0);
        let people = (0..CANDIDATES).map(|_| people.person::<Mind>(&mut luck)).collect();
        Self::new(people, luck)
    }

    fn new(people: Vec<Person<Mind>>, luck: Chance) -> Self {
        let weight = 1.0 / people.len().max(1) as f64;
        let candidate = |person| Candidate { person, weight, silent: [1.0; PLACES] };
        Self {
            candidates: people.into_iter().map(candidate).collect(),
            luck,
            run: Run::default(),
            resolve: Resolve::default(),
            me: None,
            top: 0,
            out: 0,
            started: None,
            same_card: false,
            dealt: false,
        }
    }

    /// The wait for a card, as the person sees it.
    fn span(&self, card: u8) -> Span {
        Span {
            since: Moment::START,
            run_s: 0.0,
            gap: f64::from(card.saturating_sub(self.top)),
            out: f64::from(self.out),
            among: f64::from(Mind::HIGHEST.saturating_sub(self.top)),
            alone: false,
            blind: false,
            deck_share: 1.0,
            beside: 0.0,
        }
    }

    fn deal(&mut self) {
        let (first, single) = (!self.dealt, self.candidates.len() == 1);
        self.dealt = true;
        for candidate in &mut self.candidates {
            candidate.person.begin_deal(first, if single { None } else { Some(&mut self.luck) });
        }
        self.forget_card();
        (self.top, self.started) = (0, None);
    }

    /// The person waits for another card from now on.
    fn forget_card(&mut self) {
        self.same_card = false;
        for candidate in &mut self.candidates {
            candidate.silent = [1.0; PLACES];
        }
    }

    /// The person was silent up to now.
    fn silence(&mut self, at: Moment) -> f64 {
        let Some(started) = self.started.take() else { return 0.0 };
        let wait_s = started.until(at).as_secs_f64();
        let spans = (self.top + 1..=Mind::HIGHEST).map(|card| (card, self.span(card)));
        let spans = spans.collect::<Vec<_>>();
        for Candidate { person, silent, .. } in &mut self.candidates {
            for (card, span) in &spans {
                let over = person.over(person.means_s(span, self.same_card), wait_s);
                silent[usize::from(*card)] *= (1.0 - over).max(1e-6) as f32;
                if over < 1e-5 {
                    break;
                }
            }
        }
        self.same_card = true;
        wait_s
    }

    /// This bot played a card after `wait_s`: the person's pace may follow it.
    fn follow(&mut self, card: u8, wait_s: f64) {
        let step = f64::from(card.saturating_sub(self.top));
        for candidate in &mut self.candidates {
            candidate.person.follow(step, wait_s);
        }
    }

    /// The person's lowest card is known now: their silences tell of their timing.
    fn reveal(&mut self, card: u8) {
        for Candidate { weight, silent, .. } in &mut self.candidates {
            *weight *= f64::from(silent[usize::from(card)]);
        }
        self.settle();
    }

    /// The person played a card after `wait_s`.
    fn hear(&mut self, card: u8, wait_s: f64) {
        let span = self.span(card);
        for Candidate { person, weight, silent } in &mut self.candidates {
            let middle_s = person.means_s(&span, self.same_card);
            let (early_s, late_s) = (0.97 * wait_s, 1.03 * wait_s + 0.005);
            let likely = person.over(middle_s, late_s) - person.over(middle_s, early_s);
            *weight *= f64::from(silent[usize::from(card)]) * likely.max(1e-9);
        }
        self.settle();
    }

    /// Makes the weights those of shares, and draws the candidates anew if few of them count.
    fn settle(&mut self) {
        let all = self.candidates.iter().map(|candidate| candidate.weight).sum::<f64>();
        if all <= 0.0 {
            return;
        }
        let mut squares = 0.0;
        for candidate in &mut self.candidates {
            candidate.weight /= all;
            squares += candidate.weight * candidate.weight;
        }
        let number = self.candidates.len() as f64;
        if self.candidates.len() > 1 && 1.0 / squares < FEW * number {
            self.draw_anew();
        }
    }

    /// Candidates with equal weights that stand for the same people: around the old ones, a little
    /// nearer to their mean, so that mean and variance stay.
    fn draw_anew(&mut self) {
        let (mut mean, mut square) = ([0.0; 4], [0.0; 4]);
        for Candidate { person, weight, .. } in &self.candidates {
            for (place, trait_) in person.traits().into_iter().enumerate() {
                mean[place] += weight * trait_;
                square[place] += weight * trait_ * trait_;
            }
        }
        let sd: [f64; 4] =
            std::array::from_fn(|at| (square[at] - mean[at].powi(2)).max(0.0).sqrt());
        let number = self.candidates.len();
        let share = 1.0 / number as f64;
        let (mut next, mut sum) = (share * uniform(&mut self.luck), 0.0);
        let mut drawn = Vec::with_capacity(number);
        for candidate in &self.candidates {
            sum += candidate.weight;
            while next < sum && drawn.len() < number {
                let mut candidate = Candidate { weight: share, ..candidate.clone() };
                let noise = [bots::normal_pair(&mut self.luck), bots::normal_pair(&mut self.luck)];
                let noise = [noise[0].0, noise[0].1, noise[1].0, noise[1].1];
                let traits = candidate.person.traits();
                candidate.person.set_traits(std::array::from_fn(|at| {
                    let off = (1.0 - OWN * OWN).sqrt() * sd[at] * noise[at];
                    mean[at] + OWN * (traits[at] - mean[at]) + off
                }));
                drawn.push(candidate);
                next += share;
            }
        }
        if !drawn.is_empty() {
            let share = 1.0 / drawn.len() as f64;
            for candidate in &mut drawn {
                candidate.weight = share;
            }
            self.candidates = drawn;
        }
    }

    /// The moment at which that card most likely comes in order.
    fn best_s(&self, view: &View, mine: u8) -> f64 {
        let next = next_cards(view).into_iter().filter(|(_, likely)| *likely > UNLIKELY);
        let next = next.map(|(card, likely)| (card.number(), likely, self.span(card.number())));
        let next = next.collect::<Vec<_>>();
        // Waits of about the same length are taken together: those for lower cards, and for higher.
        let bin = |wait_s: f64| (wait_s.max(FIRST_S) / FIRST_S).ln() / RATIO.ln();
        let first = self.candidates.iter().max_by(|one, other| one.weight.total_cmp(&other.weight));
        let Some(Candidate { person, .. }) = first else { return FIRST_S };
        let mut bins = vec![(0.0, 0.0); MOMENTS as usize + 1];
        for Candidate { person, weight, silent } in &self.candidates {
            for (card, likely, span) in &next {
                let all = weight * likely * f64::from(silent[usize::from(*card)]);
                let place = bin(person.means_s(span, self.same_card)).min(f64::from(MOMENTS) - 1.0);
                #[expect(clippy::cast_sign_loss, reason = "no wait is shorter than the first")]
                let (low, share) = (place as usize, place.fract());
                for (at, part) in [(low, 1.0 - share), (low + 1, share)] {
                    if *card < mine {
                        bins[at].0 += part * all;
                    } else if *card > mine {
                        bins[at].1 += part * all;
                    }
                }
            }
        }
        let moments = || (0..MOMENTS).map(|step| FIRST_S * RATIO.powi(step));
        let bins = (0..).zip(&bins).filter(|(_, (lower, higher))| lower + higher > 1e-9);
        let bins = bins.map(|(at, both)| (FIRST_S * RATIO.powi(at), *both)).collect::<Vec<_>>();
        let right = |wait_s: f64| {
            let of_bin = |(middle_s, (lower, higher)): &(f64, (f64, f64))| {
                let over = person.over(*middle_s, wait_s);
                lower * over + higher * (1.0 - over)
            };
            bins.iter().map(of_bin).sum::<f64>()
        };
        let weighed = moments().map(|wait_s| (right(wait_s), wait_s));
        weighed.max_by(|one, other| one.0.total_cmp(&other.0)).map_or(FIRST_S, |(_, wait_s)| wait_s)
    }
}

impl Bot<Mind> for Confidant {
    fn watch(&mut self, setup: &Setup, at: Moment, sight: &Sight) {
        Mind::count(&mut self.run, setup, at, sight);
        match sight {
            Sight::Dealt { .. } => self.deal(),
            Sight::Played(Seen::Known(Laid { seat, card })) => {
                let card = card.number();
                if Some(*seat) == self.me {
                    let wait_s = self.silence(at);
                    self.follow(card, wait_s);
                } else {
                    let waited = self.started.take();
                    let wait_s = waited.map_or(0.0, |since| since.until(at).as_secs_f64());
                    self.hear(card, wait_s);
                    self.forget_card();
                }
                (self.top, self.started) = (self.top.max(card), Some(at));
            }
            Sight::Notice(Notice::Focus(FocusNotice::Begun)) => self.started = Some(at),
            Sight::Notice(Notice::Focus(FocusNotice::Stopped(_))) => {
                self.silence(at);
            }
            Sight::Notice(Notice::Erred { lower: gone } | Notice::Starred { lowest: gone }) => {
                self.started = None;
                let theirs = gone.iter().find(|(seat, _)| Some(*seat) != self.me);
                if let Some(lowest) = theirs.and_then(|(_, cards)| cards.lowest()) {
                    self.reveal(lowest.number());
                    self.forget_card();
                }
            }
            Sight::Played(Seen::Back(_)) | Sight::Notice(_) => {}
        }
    }

    fn plan(&mut self, view: &View, now: Moment, chance: &mut Chance) -> Option<(Moment, Command)> {
        self.me = view.me.seat();
        self.out = view.hands.values().map(Hand::len).sum();
        let intent = Mind::intent(view, &self.run, chance);
        if matches!(intent, Intent::After { span, .. } if span.alone) {
            return self.resolve.settle(intent, now, chance, |_, _| 0.0);
        }
        let mine = view.hand().lowest().map_or(0, Card::number);
        let (this, mut resolve) = (&*self, self.resolve);
        let plan = resolve.settle(intent, now, chance, |_, _| this.best_s(view, mine));
        self.resolve = resolve;
        plan
    }
}

/// The cards that the other may play next, and how likely each is before any silence.
fn next_cards(view: &View) -> Vec<(Card, f64)> {
    let held = view.hands.values().map(Hand::len).sum::<u8>() - view.hand().len();
    let unseen = Cards::deck(Mind::HIGHEST) - view.hand();
    let open = view.pile.top().map_or(unseen, |top| unseen.above(top));
    let mut none_yet = 1.0;
    let cards = open.iter().enumerate().map(|(passed, card)| {
        let left = f64::from(open.len()) - passed as f64;
        let likely = none_yet * (f64::from(held) / left).min(1.0);
        none_yet -= likely;
        (card, likely)
    });
    cards.collect()
}
