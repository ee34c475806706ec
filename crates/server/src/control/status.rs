//! How the server is.

use std::fs;

use anyhow::Result;
use journal::Span;

use super::ServerStatus;
use super::operator::Operator;
use crate::figures::{disk, files_most};

/// The newest row of a list.
const NEWEST: Span = Span { skip: 0, most: 1 };

impl Operator {
    pub(super) async fn status(&self) -> Result<ServerStatus> {
        let app = &self.app;
        let operations = &app.shared.operations;
        let (audited, _) = operations.audited(NEWEST).await?;
        let (tables, _) = operations.tables(NEWEST).await?;
        let audited_s = audited.first().map(|line| line.at_s);
        let changed_s = tables.first().and_then(|table| table.changed_s);
        #[expect(clippy::cast_sign_loss, reason = "sizes and limits have no sign")]
        let bytes = |bytes: f64| bytes as u64;
        Ok(ServerStatus {
            runs: app.site.is_served,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            protocol: wire::PROTOCOL,
            format: journal::FORMAT,
            origins: app.site.origins.expected().to_vec(),
            has_public_url: app.site.has_public_url,
            base_path: app.site.base_path.prefix().to_owned(),
            fault: app.people.answers().await.err().map(|fault| fault.to_string()),
            file_bytes: fs::metadata(&app.data)?.len(),
            disk_free_bytes: disk(&app.data).map(|(free, _)| bytes(free)),
            newest_s: audited_s.max(changed_s).unwrap_or(0),
            files_most: files_most().map(bytes),
            sockets_most: app.shared.limits.sockets.most as u64,
        })
    }
}
