//! The writer's answers.
//!
//! Waking a task of another thread takes a system call, and on one core often a change of threads.
//! So the answers of a commit wake one task, and its thread delivers the others.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use tokio::sync::oneshot;

use super::writer::Done;
use crate::Fault;

/// Where an answer goes.
pub(super) type Answer = oneshot::Sender<Result<Done, Fault>>;

/// Answers that are not delivered yet.
#[derive(Default)]
pub(super) struct Answers(Mutex<VecDeque<(Answer, Result<Done, Fault>)>>);

impl Answers {
    /// Delivers the first answer to a request that is still waited for, and leaves the others to
    /// the task that waits for it. [`Self::deliver_rest`] has to be called after a moment, in case
    /// that task does something else.
    pub(super) fn tell(&self, answers: impl IntoIterator<Item = (Answer, Result<Done, Fault>)>) {
        self.deliver_rest();
        self.undelivered().extend(answers);
        while let Some((to, answer)) = self.next() {
            if to.send(answer).is_ok() {
                return;
            }
        }
    }

    /// Delivers all answers. Requests that are no longer waited for need none.
    pub(super) fn deliver_rest(&self) {
        while let Some((to, answer)) = self.next() {
            let _dropped = to.send(answer);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.undelivered().is_empty()
    }

    fn next(&self) -> Option<(Answer, Result<Done, Fault>)> {
        self.undelivered().pop_front()
    }

    fn undelivered(&self) -> MutexGuard<'_, VecDeque<(Answer, Result<Done, Fault>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answer to a request, as a future. When it is dropped, the answers behind it are delivered.
pub(super) struct Awaited {
    answered: Option<oneshot::Receiver<Result<Done, Fault>>>,
    answers: Arc<Answers>,
}

impl Awaited {
    /// A request's answer, and where the writer has to send it.
    pub(super) fn new(answers: &Arc<Answers>) -> (Answer, Self) {
        let (answer, answered) = oneshot::channel();
        (answer, Self { answered: Some(answered), answers: Arc::clone(answers) })
    }
}

impl Future for Awaited {
    type Output = Result<Done, Fault>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<Self::Output> {
        let Some(answered) = &mut self.answered else { return Poll::Ready(Err(Fault::Closed)) };
        Pin::new(answered).poll(cx).map(|answer| answer.unwrap_or(Err(Fault::Closed)))
    }
}

impl Drop for Awaited {
    fn drop(&mut self) {
        // First, so that the writer does not leave the other answers to this one afterwards.
        self.answered = None;
        self.answers.deliver_rest();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This number of requests, answered together.
    fn answered(count: usize) -> (Arc<Answers>, Vec<Awaited>) {
        let answers = Arc::<Answers>::default();
        let (to, awaited) = (0..count).map(|_| Awaited::new(&answers)).unzip::<_, _, Vec<_>, _>();
        answers.tell(to.into_iter().map(|to| (to, Ok(Done::Written))));
        (answers, awaited)
    }

    fn is_there(awaited: &mut Awaited) -> bool {
        Pin::new(awaited).poll(&mut Context::from_waker(std::task::Waker::noop())).is_ready()
    }

    #[test]
    fn the_first_task_delivers_the_answers_of_the_others() {
        let (answers, mut awaited) = answered(3);
        assert!(is_there(&mut awaited[0]));
        assert!(!is_there(&mut awaited[1]) && !is_there(&mut awaited[2]));
        drop(awaited.remove(0));
        assert!(is_there(&mut awaited[0]) && is_there(&mut awaited[1]));
        assert!(answers.is_empty());
    }

    #[test]
    fn answers_are_not_left_to_a_task_that_is_gone() {
        let answers = Arc::<Answers>::default();
        let (gone, dropped) = Awaited::new(&answers);
        let (to, mut waits) = Awaited::new(&answers);
        drop(dropped);
        answers.tell([(gone, Ok(Done::Written)), (to, Ok(Done::Written))]);
        assert!(is_there(&mut waits));
    }

    #[test]
    fn the_rest_is_delivered_even_if_the_first_task_waits_for_something_else() {
        let (answers, mut awaited) = answered(2);
        assert!(!is_there(&mut awaited[1]));
        answers.deliver_rest();
        assert!(is_there(&mut awaited[1]));
    }
}
