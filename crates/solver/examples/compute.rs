#![allow(missing_docs)]
use solver::{class::Class, search::Memory, solution::Solution, tablebase::{Tablebase, HEADER, write_record}};
use std::io::Write;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let path = &args[1];
    let sizes: Vec<u8> = args[2].split(',').map(|s| s.parse().unwrap()).collect();
    let worst = args.len() > 3;
    let bytes = std::fs::read(path).unwrap_or(HEADER.to_vec());
    let (mut table, len) = Tablebase::read(&bytes).unwrap();
    std::fs::write(path, &bytes[..len]).unwrap();
    let mut file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
    let mut memory = Memory::new(24);
    for size in sizes {
        let all = Class::all(size);
        for (i, class) in all.iter().enumerate() {
            let t = std::time::Instant::now();
            let mut solution = match table.get(*class) { Some(s) if s.worst.is_some() || !worst => continue, Some(s) => s.clone(), None => Solution::compute(&mut memory, *class, &mut || false).unwrap() };
            let t1 = t.elapsed();
            if worst { solution.compute_worst(&mut memory, &mut || false); }
            solution.verify().unwrap();
            file.write_all(&write_record(&solution)).unwrap();
            println!("{size} {i}/{} {} {:?} tree {} {t1:?} {:?}", all.len(), solution.total, solution.worst, solution.tree.as_bytes().len(), t.elapsed());
            table.insert(solution);
        }
    }
}
