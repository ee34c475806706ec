//! Somebody at the other end of a socket, who reads no more of a message than is needed.

use std::collections::VecDeque;
use std::task::{Context as Waker, Poll};

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};
use wire::{ClientMessage, Options, Update};

use super::target::Target;

/// Somebody with a connection that has said hello.
pub struct Person {
    socket: WebSocketStream<TcpStream>,
    /// What came while nobody asked for it.
    heard: VecDeque<Utf8Bytes>,
}

/// What the server said.
pub enum Heard {
    /// How a table stands.
    Update(News),
    /// That something was not done, and why, in a word.
    Refused(String),
}

impl Person {
    /// Connects as whoever has the cookie; the `number`th of many.
    pub async fn connect(target: Target, number: u32, cookie: &str) -> Result<Self> {
        let mut request = format!("ws://{}/ws", target.address()).into_client_request()?;
        request.headers_mut().insert("Cookie", cookie.parse()?);
        let stream = target.connect(number).await?;
        let config = WebSocketConfig::default().read_buffer_size(4_096).write_buffer_size(0);
        let (socket, _) =
            tokio_tungstenite::client_async_with_config(request, stream, Some(config))
                .await
                .context("the server takes no connection, raise its limits")?;
        let mut person = Self { socket, heard: VecDeque::new() };
        person.send(&ClientMessage::Hello { protocol: wire::PROTOCOL, client: number }).await?;
        let welcome = person.text().await?;
        if !welcome.starts_with(r#"{"t":"welcome""#) {
            bail!("the server does not welcome anybody: {welcome}");
        }
        Ok(person)
    }

    /// Says something.
    pub async fn send(&mut self, message: &ClientMessage) -> Result<()> {
        self.socket.send(Message::text(serde_json::to_string(message)?)).await?;
        Ok(())
    }

    /// Takes in whatever has come, and answers pings: a page does so all the time.
    pub fn listen(&mut self, waker: &mut Waker) -> Result<()> {
        while let Poll::Ready(frame) = self.socket.poll_next_unpin(waker) {
            if let Some(text) = read(frame)? {
                self.heard.push_back(text);
            }
        }
        Ok(())
    }

    /// Whether something has come.
    pub fn has_heard(&self) -> bool {
        !self.heard.is_empty()
    }

    /// What the server says next.
    pub async fn hear(&mut self) -> Result<Heard> {
        let text = self.text().await?;
        if text.starts_with(r#"{"t":"update""#) {
            return Ok(Heard::Update(News(text)));
        }
        if text.starts_with(r#"{"t":"refused""#) {
            let code = between(&text, r#""code":""#, "\"").context("a refusal has a code")?;
            return Ok(Heard::Refused(code.to_owned()));
        }
        bail!("the server says {text}")
    }

    /// The next update; anything else is an error.
    pub async fn update(&mut self) -> Result<News> {
        match self.hear().await? {
            Heard::Update(news) => Ok(news),
            Heard::Refused(code) => bail!("the server refuses: {code}"),
        }
    }

    /// Reads until the connection is closed, and answers pings.
    pub async fn sit_idle(mut self) {
        while self.text().await.is_ok() {}
    }

    async fn text(&mut self) -> Result<Utf8Bytes> {
        loop {
            if let Some(text) = self.heard.pop_front() {
                return Ok(text);
            }
            self.heard.extend(read(self.socket.next().await)?);
        }
    }
}

/// The text of a frame; pings are answered by the library.
fn read(frame: Option<Result<Message, Error>>) -> Result<Option<Utf8Bytes>> {
    match frame {
        Some(Ok(Message::Text(text))) => Ok(Some(text)),
        Some(Ok(Message::Close(_))) | None => bail!("the server hung up"),
        Some(Err(error)) => Err(error).context("the connection broke"),
        Some(Ok(_)) => Ok(None),
    }
}

/// An update as it came, of which only what is needed is read: reading all of it would cost the
/// generator more than the server spends on writing it. The server writes the fields in the order
/// of [`Update`], and names cannot contain a quotation mark that is not escaped.
pub struct News(Utf8Bytes);

impl News {
    /// The viewer's `seq`.
    pub fn seq(&self) -> Result<u64> {
        let seq = between(&self.0, r#","seq":"#, ",").context("an update has a seq")?;
        Ok(seq.parse()?)
    }

    /// What it answers.
    pub fn ack(&self) -> Option<u32> {
        between(&self.0, r#","ack":"#, ",")?.parse().ok()
    }

    /// What the viewer may do; `None` while no game is on.
    pub fn options(&self) -> Result<Option<Options>> {
        let (_, rest) = self.0.rsplit_once(r#","options":"#).context("an update has options")?;
        let (options, _) = rest.rsplit_once(r#","help":"#).context("an update has help")?;
        Ok(serde_json::from_str(options)?)
    }

    /// All of it.
    pub fn whole(&self) -> Result<Update> {
        match serde_json::from_str(&self.0)? {
            wire::ServerMessage::Update(update) => Ok(*update),
            other => bail!("{other:?} is no update"),
        }
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(found, _)| found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The messages of the protocol's own page.
    fn news() -> Vec<News> {
        let page = include_str!("../../../../docs/protocol.md");
        let blocks = page.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next());
        let messages = blocks.filter_map(|text| serde_json::from_str(text).ok());
        let updates = messages.filter(|message| matches!(message, wire::ServerMessage::Update(_)));
        updates.map(|message| News(serde_json::to_string(&message).unwrap().into())).collect()
    }

    #[test]
    fn the_quick_look_finds_what_a_full_reading_finds() {
        let news = news();
        assert!(!news.is_empty());
        for news in news {
            let whole = news.whole().unwrap();
            assert_eq!(news.seq().unwrap(), whole.seq);
            assert_eq!(news.ack(), whole.ack);
            assert_eq!(news.options().unwrap(), whole.options);
        }
    }
}
