#![allow(missing_docs)]
use rules::royale::Pack;
use solver::{Solver, Stop};
fn rng(s: &mut u64) -> u64 {
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    *s
}
fn random_pack(n: u32, seed: &mut u64) -> u32 {
    let mut p = (1u32 << 25) - 1;
    while p.count_ones() > n {
        p &= !(1 << (rng(seed) % 25));
    }
    p
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let size: u32 = args[1].parse().unwrap();
    let count: u32 = args[2].parse().unwrap();
    let skip: u32 = args.get(3).map_or(0, |s| s.parse().unwrap());
    let mut seed = 88172645463325252u64 + u64::from(size);
    for i in 0..count {
        let bits = random_pack(size, &mut seed);
        if i < skip {
            continue;
        }
        let c0 = cpu();
        let mut solver = Solver::default();
        let mut steps = 0u64;
        let s = solver
            .solve(
                Pack::WHOLE.masked(bits),
                &mut Stop::when(|| {
                    steps += 1;
                    false
                }),
            )
            .unwrap();
        println!(
            "pack {bits:025b} v {} ({:.4}) cpu {:.2} states {}",
            s.total,
            s.mean(),
            cpu() - c0,
            steps
        );
    }
}
fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/self/stat").unwrap();
    let f: Vec<&str> = s.rsplit(')').next().unwrap().split_whitespace().collect();
    (f[11].parse::<f64>().unwrap() + f[12].parse::<f64>().unwrap()) / 100.0
}
