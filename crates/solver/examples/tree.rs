#![allow(missing_docs)]
use solver::{board::Board, class::Class, search::{Search, Memory, Method, UNLIMITED}};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let size: u8 = args[1].parse().unwrap();
    let count: usize = args[2].parse().unwrap();
    let mut memory = Memory::new(22);
    let t = std::time::Instant::now();
    let all = Class::all(size);
    println!("{} classes {:?}", all.len(), t.elapsed());
    for class in all.into_iter().take(count) {
        let t = std::time::Instant::now();
        let board = Board::new(class.pack());
        let mut stop = || false;
        let mut run = Search { memory: &mut memory, board: &board, method: Method::default(), stop: &mut stop, stopped: false, states: 0 };
        let node = run.node(board.start(), UNLIMITED);
        let best = run.best_row(&node);
        let t1 = t.elapsed();
        let tree = run.tree(board.start(), UNLIMITED).unwrap();
        let t2 = t.elapsed();
        println!("{:025b} {best:?} {t1:?} tree {} {t2:?} {:?} {:?}", class.number(), tree.as_bytes().len(), solver::verify::play(&tree, class.pack()), t.elapsed());
    }
}
