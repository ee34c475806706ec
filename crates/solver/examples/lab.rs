#![allow(missing_docs)]
use rules::royale::Pack;
use solver::{board::Board, one::One, search::{Run, Search}, table::Table};
use std::time::{Duration, Instant};
fn rng(s: &mut u64) -> u64 { *s ^= *s << 13; *s ^= *s >> 7; *s ^= *s << 17; *s }
fn random_pack(n: u32, seed: &mut u64) -> u32 { let mut p = (1u32 << 25) - 1; while p.count_ones() > n { p &= !(1 << (rng(seed) % 25)); } p }
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let size: u32 = args[1].parse().unwrap();
    let count: u32 = args[2].parse().unwrap();
    let limit: f64 = args[3].parse().unwrap();
    let mut seed = 88172645463325252u64 + u64::from(size);
    for _ in 0..count {
        let mut search = Search { one: One::default(), choices: Default::default(), table: Table::new(22) };
        let bits = random_pack(size, &mut seed);
        let t = Instant::now();
        let board = Board::new(Pack::WHOLE.masked(bits));
        let end = t + Duration::from_secs_f64(limit);
        let mut stop = || Instant::now() > end;
        let mut run = Run { search: &mut search, board: &board, stop: &mut stop, stopped: false, nodes: 0, expanded: 0, stats: [[0.0; 6]; 16], trace: true, look: std::env::var("LOOK").is_ok() };
        let x = board.start();
        let v = run.solve(x, std::env::var("BETA").map_or(u32::MAX, |b| b.parse().unwrap()));
        if args.len() > 4 { for (b, q) in run.stats.iter().enumerate() { if q[0] > 0.0 { eprintln!("n>={} nodes {} gap/n {:.3} exact {:.3} m {:.1} k {:.1} gap1 {:.3}", 1 << b, q[0], q[1] / q[0], q[2] / q[0], q[3] / q[0], q[4] / q[0], q[5] / q[0]); } } }
        println!("pack {bits:025b} n {} v {v} ({:.4}) stopped {} cpu {:.2} nodes {} expanded {}", x.codes, v as f64 / x.codes as f64, run.stopped, cpu(), run.nodes, run.expanded);
    }
}
fn cpu() -> f64 { let s = std::fs::read_to_string("/proc/self/stat").unwrap(); let f: Vec<&str> = s.rsplit(')').next().unwrap().split_whitespace().collect(); (f[11].parse::<f64>().unwrap() + f[12].parse::<f64>().unwrap()) / 100.0 }
