//! What commands write. Files are looked at before the work begins: nobody wants to learn after an
//! hour that the results are lost, or that a file that was read has been written over.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::commands::failure::WrongInput;
use outrider_engine::atomic_write;
use outrider_tools::is_same_file;

/// Fails if one of the outputs cannot be written, is one of the files that are read, or is named
/// twice; leaves everything as it is.
pub(in crate::commands) fn check_outputs(
    outputs: &[&Path],
    inputs: &[PathBuf],
) -> anyhow::Result<()> {
    for (index, output) in outputs.iter().enumerate() {
        let fault = if inputs.iter().any(|input| is_same_file(input, output)) {
            "it is one of the files that are read"
        } else if outputs[..index].iter().any(|other| is_same_file(other, output)) {
            "it is named for two things"
        } else {
            try_to_write(output).with_context(|| cannot_write(output))?;
            continue;
        };
        return Err(WrongInput(format!("{}: {fault}", cannot_write(output))).into());
    }
    Ok(())
}

/// The output of a command whose product is a file: what is said after nobody reads it any more is
/// dropped, and the work goes on.
pub(in crate::commands) struct IgnoreBrokenPipe<'a>(pub &'a mut dyn Write);

impl Write for IgnoreBrokenPipe<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0.flush() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            flushed => flushed,
        }
    }
}

/// Replaces a file atomically.
///
/// # Errors
///
/// Fails if the file cannot be written; the old one is then unchanged.
pub(in crate::commands) fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    atomic_write::replace(path, text.as_bytes()).with_context(|| cannot_write(path))
}

/// The error of a file or directory that cannot be written.
pub(in crate::commands) fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// Fails if a file cannot be written; leaves everything as it is. Another one beside it is tried, as
/// that is where its new content will be written. A device or a pipe is not tried: its reader
/// would take the closing for the end.
fn try_to_write(path: &Path) -> io::Result<()> {
    if atomic_write::is_stream(path) {
        return Ok(());
    }
    if path.exists() {
        fs::OpenOptions::new().append(true).open(path)?;
    }
    let probe = atomic_write::temporary_path(path);
    match fs::OpenOptions::new().append(true).create_new(true).open(&probe) {
        // Left there by a run that was killed, or in use.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
        Ok(_) => fs::remove_file(probe),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of outputs and inputs of these names in a folder where `here` is.
    fn said(outputs: &[&str], inputs: &[&str]) -> Result<(), String> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("here"), "text").unwrap();
        fs::create_dir(folder.path().join("folder")).unwrap();
        let within = |names: &[&str]| names.iter().map(|name| folder.path().join(name)).collect();
        let (outputs, inputs): (Vec<PathBuf>, Vec<PathBuf>) = (within(outputs), within(inputs));
        let paths: Vec<&Path> = outputs.iter().map(PathBuf::as_path).collect();
        let result = check_outputs(&paths, &inputs).map_err(|error| format!("{error:#}"));
        assert_eq!(fs::read_to_string(folder.path().join("here")).unwrap(), "text");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left behind");
        result
    }

    #[test]
    fn what_is_read_is_not_written_over_however_it_is_spelled() {
        for (output, input) in [("here", "here"), ("folder/../here", "here"), ("./new", "new")] {
            let error = said(&[output], &[input]).unwrap_err();
            assert!(error.ends_with("it is one of the files that are read"), "{error}");
        }
        assert_eq!(said(&["here", "new"], &["folder"]), Ok(()));
    }

    #[test]
    fn two_outputs_need_two_files_however_they_are_spelled() {
        let error = said(&["new", "folder/../new"], &[]).unwrap_err();
        assert!(error.ends_with("it is named for two things"), "{error}");
    }

    #[test]
    fn a_folder_is_no_output() {
        let error = said(&["folder"], &[]).unwrap_err();
        assert!(error.contains("folder") && error.contains("directory"), "{error}");
    }
}
