//! Prints the messages as TypeScript: `cargo xtask gen` puts it where the browser's code is.

fn main() {
    print!("{}", wire::typescript::typescript());
}
