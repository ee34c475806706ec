//! Programs from crates.io that only a release needs.

use std::path::PathBuf;

use anyhow::Result;

use crate::shell::{cargo, root, run as sh};

/// A program and the version that is used.
pub struct Tool {
    pub name: &'static str,
    pub version: &'static str,
}

impl Tool {
    /// Installs it in `target/tools` unless it is there, and returns where it is.
    pub fn install(&self) -> Result<PathBuf> {
        let folder = root().join("target/tools");
        let mut install = cargo(&["install", "--quiet", "--locked", self.name]);
        install.args(["--version", self.version, "--root"]).arg(&folder);
        sh(&mut install)?;
        Ok(folder.join("bin").join(self.name))
    }
}
