//! Standard output whose reader may close it.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};

/// Prints a line, like `println!`. When the reader has gone (`unspoken simulate … | head -1`), the
/// program ends quietly.
macro_rules! outln {
    ($($part:tt)*) => { $crate::out::line(format_args!($($part)*)) };
}
pub(crate) use outln;

/// Prints a line; see [`outln!`].
pub(crate) fn line(text: Arguments) {
    if let Err(error) = writeln!(std::io::stdout(), "{text}") {
        end(&error);
    }
}

/// Prints a text of whole lines.
pub(crate) fn text(text: &str) {
    if let Err(error) = std::io::stdout().write_all(text.as_bytes()) {
        end(&error);
    }
}

/// Ends the program after standard output has failed.
fn end(error: &std::io::Error) -> ! {
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    eprintln!("error: standard output cannot be written to: {error}");
    std::process::exit(2);
}

/// Whether an error only says that the reader of standard output has gone.
pub(crate) fn is_closed(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<std::io::Error>();
        io.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    })
}
