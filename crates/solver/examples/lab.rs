#![allow(missing_docs)]
use rules::royale::Pack;
use solver::{board::Board, search::{Search, Memory, Method, UNLIMITED, IMPOSSIBLE}};
use std::time::{Duration, Instant};
fn rng(s: &mut u64) -> u64 { *s ^= *s << 13; *s ^= *s >> 7; *s ^= *s << 17; *s }
fn random_pack(n: u32, seed: &mut u64) -> u32 { let mut p = (1u32 << 25) - 1; while p.count_ones() > n { p &= !(1 << (rng(seed) % 25)); } p }
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let size: u32 = args[1].parse().unwrap();
    let count: u32 = args[2].parse().unwrap();
    let limit: f64 = args[3].parse().unwrap();
    let left: u32 = std::env::var("LEFT").map_or(UNLIMITED, |b| b.parse().unwrap());
    let mut seed = 88172645463325252u64 + u64::from(size);
    for _ in 0..count {
        let mut memory = Memory::new(22);
        let bits = random_pack(size, &mut seed);
        let t = Instant::now();
        let c0 = cpu();
        let board = Board::new(Pack::WHOLE.masked(bits));
        let end = t + Duration::from_secs_f64(limit);
        let mut stop = || Instant::now() > end;
        let mut run = Search { memory: &mut memory, board: &board, method: Method::default(), stop: &mut stop, stopped: false, states: 0 };
        let x = board.start();
        let node = run.node(x, left);
        let v = run.value(&node, IMPOSSIBLE);
        println!("pack {bits:025b} n {} v {v} ({:.4}) stopped {} cpu {:.2} states {}", x.codes, v as f64 / x.codes as f64, run.stopped, cpu()-c0, run.states);
    }
}
fn cpu() -> f64 { let s = std::fs::read_to_string("/proc/self/stat").unwrap(); let f: Vec<&str> = s.rsplit(')').next().unwrap().split_whitespace().collect(); (f[11].parse::<f64>().unwrap() + f[12].parse::<f64>().unwrap()) / 100.0 }
