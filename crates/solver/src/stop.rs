//! When to stop. The solver reads no clock: whoever has one hands it in.

/// Says when a search has to end.
pub struct Stop<'a> {
    kind: Kind<'a>,
    stopped: bool,
}

enum Kind<'a> {
    Never,
    Steps(u32),
    When(Box<dyn FnMut() -> bool + 'a>),
}

impl<'a> Stop<'a> {
    /// Lets every search come to its end.
    pub const fn never() -> Self {
        Self { kind: Kind::Never, stopped: false }
    }

    /// Ends after so many steps; a step takes some tens of microseconds. The same position gets
    /// the same answer every time.
    pub const fn after_steps(steps: u32) -> Self {
        Self { kind: Kind::Steps(steps), stopped: false }
    }

    /// Ends when the question is answered with true; it is asked at every step.
    pub fn when(question: impl FnMut() -> bool + 'a) -> Self {
        Self { kind: Kind::When(Box::new(question)), stopped: false }
    }

    /// Whether it was time.
    pub const fn stopped(&self) -> bool {
        self.stopped
    }

    /// Counts a step.
    pub(crate) fn step(&mut self) -> bool {
        self.stopped = self.stopped
            || match &mut self.kind {
                Kind::Never => false,
                Kind::Steps(left) => {
                    *left = left.saturating_sub(1);
                    *left == 0
                }
                Kind::When(question) => question(),
            };
        self.stopped
    }
}
