//! The addresses and the pages of this server, as its visitors know them.

use std::net::SocketAddr;

use crate::address::{Origins, PublicUrl};
use crate::base_path::BasePath;
use crate::contact::Contact;
use crate::cookie::CookieScope;
use crate::options::Options;
use crate::page::Page;

/// Where the page is served, and to which pages the server answers.
pub(crate) struct Site {
    /// Whether requests are served: not when only an operator asks while the server is down.
    pub(crate) is_served: bool,
    /// The pages whose requests are answered.
    pub(crate) origins: Origins,
    /// Whether the operator has named the addresses.
    pub(crate) has_public_url: bool,
    /// The path that everything is served below.
    pub(crate) base_path: BasePath,
    pub(crate) cookie_scope: CookieScope,
    pub(crate) page: Page,
    /// Where players report problems.
    pub(crate) contact: Option<Contact>,
}

impl Site {
    /// `listen` is where the server is reached if the operator names no address; port 0 stands for
    /// a server that is not reached at all.
    pub(crate) fn new(options: &Options, listen: SocketAddr) -> Self {
        let has_public_url = !options.public_url.is_empty();
        let has_tls = options.tls_cert.is_some();
        let secure = if has_public_url {
            options.public_url.iter().all(PublicUrl::is_https)
        } else {
            has_tls
        };
        Self {
            origins: Origins::new(&options.public_url, has_tls, listen),
            has_public_url,
            is_served: listen.port() != 0,
            base_path: options.base_path.clone(),
            cookie_scope: CookieScope { secure, path: options.base_path.clone() },
            page: Page::below(&options.base_path),
            contact: options.contact.clone(),
        }
    }
}
