//! When a search has to stop. The solver reads no clock: the caller passes a limit.

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

    /// Ends after `steps` steps; a step takes about ten microseconds. The same position gets the
    /// same answer every time.
    pub const fn after_steps(steps: u32) -> Self {
        Self { kind: Kind::Steps(steps), stopped: false }
    }

    /// Ends when the question is answered with true; it is asked every few steps.
    pub fn when(question: impl FnMut() -> bool + 'a) -> Self {
        Self { kind: Kind::When(Box::new(question)), stopped: false }
    }

    /// Whether the search was ended by this limit.
    pub const fn stopped(&self) -> bool {
        self.stopped
    }

    /// Whether `steps` steps are left; true if the limit is not in steps.
    pub(crate) const fn affords(&self, steps: u32) -> bool {
        match self.kind {
            Kind::Steps(left) => steps < left,
            Kind::Never | Kind::When(_) => true,
        }
    }

    /// Counts steps and returns whether the search has to end.
    pub(crate) fn step(&mut self, steps: u32) -> bool {
        self.stopped = self.stopped
            || match &mut self.kind {
                Kind::Never => false,
                Kind::Steps(left) => {
                    *left = left.saturating_sub(steps);
                    *left == 0
                }
                Kind::When(question) => question(),
            };
        self.stopped
    }
}
