//! The checksums of a release, as `sha256sum --check` reads them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Result;
use sha2::{Digest, Sha256};

/// Writes the checksums of all files in a folder into one more file there, and returns its text.
pub fn write(folder: &Path, name: &str) -> Result<String> {
    let files = fs::read_dir(folder)?.map(|file| Ok(file?.path()));
    let mut files = files.collect::<Result<Vec<_>>>()?;
    files.sort();
    let mut text = String::new();
    for file in files {
        let hash = Sha256::digest(fs::read(&file)?);
        let digits = hash.iter().fold(String::new(), |digits, byte| format!("{digits}{byte:02x}"));
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        writeln!(text, "{digits}  {name}")?;
    }
    fs::write(folder.join(name), &text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_line() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("b"), "abc").unwrap();
        fs::write(folder.path().join("a"), "").unwrap();
        let text = write(folder.path(), "sums").unwrap();
        let expected = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n\
                        ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b\n";
        assert_eq!(text, expected);
        assert_eq!(fs::read_to_string(folder.path().join("sums")).unwrap(), expected);
    }
}
