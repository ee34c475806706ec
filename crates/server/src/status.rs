//! The HTTP status of each refusal.

use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use wire::Refusal;

/// The status of a refusal. Refusals that only a WebSocket sends have the status of their kind.
#[expect(
    clippy::too_many_lines,
    reason = "every refusal is named, so that a new one needs a status"
)]
pub(crate) fn status(why: Refusal) -> StatusCode {
    match why {
        Refusal::Malformed | Refusal::NoUpgrade => StatusCode::BAD_REQUEST,
        Refusal::NoName => StatusCode::UNAUTHORIZED,
        Refusal::ForeignOrigin
        | Refusal::NotHost
        | Refusal::Removed
        | Refusal::TableClosed
        | Refusal::Blocked
        | Refusal::Locked
        | Refusal::NoSpectators
        | Refusal::Muted
        | Refusal::NameAlike
        | Refusal::NotSeated
        | Refusal::NotLent
        | Refusal::NotThere
        | Refusal::NotPlayed
        | Refusal::NotExported
        | Refusal::DayOn
        | Refusal::Watching
        | Refusal::InStudy
        | Refusal::NotLeading => StatusCode::FORBIDDEN,
        Refusal::NoPage
        | Refusal::NoDeviceLink
        | Refusal::NoCompanion
        | Refusal::WrongPhrase
        | Refusal::NoTable
        | Refusal::NoReplay
        | Refusal::StillOn
        | Refusal::NoTeam
        | Refusal::NoStudy
        | Refusal::NoTempo
        | Refusal::TempoAfterGame
        | Refusal::TempoLater
        | Refusal::NoJudgement
        | Refusal::JudgementAfterGame
        | Refusal::NoMember
        | Refusal::NoSpectator
        | Refusal::NotRemoved
        | Refusal::NoSuchSeat => StatusCode::NOT_FOUND,
        Refusal::NoMethod => StatusCode::METHOD_NOT_ALLOWED,
        Refusal::RequestLate => StatusCode::REQUEST_TIMEOUT,
        Refusal::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Refusal::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Refusal::Name | Refusal::Setup | Refusal::ChatLength { .. } | Refusal::StudyAnswer => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        Refusal::AddressRate
        | Refusal::TableRate
        | Refusal::ChatRate
        | Refusal::ReactionRate
        | Refusal::CodeRate
        | Refusal::Proof { .. }
        | Refusal::ChangeRate
        | Refusal::TooManyConnections => StatusCode::TOO_MANY_REQUESTS,
        Refusal::NotKept
        | Refusal::Unreadable
        | Refusal::NoRandomness
        | Refusal::Crowded
        | Refusal::Busy => StatusCode::SERVICE_UNAVAILABLE,
        // The table, the game or the connection is not in the state that the request needs.
        Refusal::NoHello
        | Refusal::IdReused
        | Refusal::NotJoined
        | Refusal::Tables { .. }
        | Refusal::TooManyDevices { .. }
        | Refusal::TableFull { .. }
        | Refusal::SeatTaken
        | Refusal::OwnSeat
        | Refusal::NoPerson
        | Refusal::NotHere
        | Refusal::NoBot
        | Refusal::BotOtherGame
        | Refusal::TooFewPlays { .. }
        | Refusal::TooManyPeople
        | Refusal::EmptySeats
        | Refusal::GameOn
        | Refusal::NoGame
        | Refusal::NotOver
        | Refusal::PlayerMissing
        | Refusal::NoPlayerMissing
        | Refusal::Stale
        | Refusal::Blind
        | Refusal::OtherGame
        | Refusal::ChatClosed
        | Refusal::ChatNotAgreed
        | Refusal::LevelOn
        | Refusal::DealPlayed
        | Refusal::DayOver
        | Refusal::NotAttending
        | Refusal::StudyMoved
        | Refusal::AudienceFull { .. }
        | Refusal::Led
        | Refusal::GameOver
        | Refusal::NotPlaying
        | Refusal::NotFocusing
        | Refusal::AlreadyResting
        | Refusal::NotResting
        | Refusal::NoStar
        | Refusal::AlreadyRaised
        | Refusal::NotRaised
        | Refusal::NotHeld
        | Refusal::NotNext
        | Refusal::NoOffer
        | Refusal::AlreadyAgreed
        | Refusal::ChoiceOpen
        | Refusal::NoChoice
        | Refusal::AlreadyChosen
        | Refusal::NoSuchColour { .. }
        | Refusal::NoCards
        | Refusal::SeerLooks { .. }
        | Refusal::NotLooking
        | Refusal::SeerWrites { .. }
        | Refusal::NotHinting
        | Refusal::NotSeer { .. }
        | Refusal::TooManyHints { .. }
        | Refusal::NotLookedAt
        | Refusal::NotInPlay
        | Refusal::AlreadyOnSlate
        | Refusal::NotMaker { .. }
        | Refusal::NotBreaker
        | Refusal::NotChoosing
        | Refusal::NotBreaking { .. }
        | Refusal::NotYourZone { .. }
        | Refusal::ZoneSolved
        | Refusal::ZoneSpent
        | Refusal::NotInPack
        | Refusal::Covered
        | Refusal::AlreadyMarked
        | Refusal::NotMarked => StatusCode::CONFLICT,
    }
}

/// Why a request's body could not be read as JSON.
pub(crate) fn unread_body(rejection: &JsonRejection) -> Refusal {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Refusal::TooLarge,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Refusal::NotJson,
        _ => Refusal::Malformed,
    }
}
