//! The deals of a study: the same for all groups of a condition, and secret until the study closes.

use rules::kit::Seed;
use sha2::{Digest, Sha256};
use study::Study;
use wire::StudyDeal;

/// The seed of the deals with a label, for the game at this place of its condition, from 0. It
/// follows from a secret of the server, which cannot be found from it.
pub(crate) fn seed(secret: &str, study: &Study, label: &str, place: u8) -> Seed {
    let name = &study.about.name;
    Seed::new(Sha256::digest(format!("{secret}\nstudy\n{name}\n{label}\n{place}")).into())
}

/// The commitments of a study, and the seeds if they are public.
pub(crate) fn deals(secret: &str, study: &Study, shown: bool) -> Vec<StudyDeal> {
    study.deals(shown, |game, place| seed(secret, study, &game.deals, place))
}

/// What stands for a participant id in the log: a keyed hash, so that the id cannot be guessed
/// from it without the server's secret.
pub(crate) fn participant_hash(secret: &str, study: &Study, id: &str) -> String {
    let name = &study.about.name;
    let digest = Sha256::digest(format!("{secret}\nparticipant\n{name}\n{id}"));
    wire::hex(&digest[..16])
}
