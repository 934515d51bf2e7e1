//! Output of commands. Output files are checked before the work begins, so that no results are lost
//! after an hour of work and no input is overwritten.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::commands::failure::WrongInput;
use outrider_engine::atomic_write;
use outrider_tools::input::InputError;
use outrider_tools::{STANDARD_INPUT, is_same_file};

/// Checks output files without changing them.
///
/// # Errors
///
/// Fails if an output cannot be written, is one of the inputs, or is given twice. If an input does not
/// exist, the error names the input instead.
pub(in crate::commands) fn check_outputs(
    outputs: &[&Path],
    inputs: &[PathBuf],
) -> anyhow::Result<()> {
    let missing = || missing_input(outputs, inputs);
    check_outputs_alone(outputs, inputs).map_err(|error| missing().unwrap_or(error))
}

/// Returns the error of the first input that does not exist. Ignores an input that is also an output, whose
/// error is that of the output.
fn missing_input(outputs: &[&Path], inputs: &[PathBuf]) -> Option<anyhow::Error> {
    let is_output = |path: &Path| outputs.iter().any(|output| is_same_file(path, output));
    let named = inputs.iter().filter(|path| *path != Path::new(STANDARD_INPUT) && !is_output(path));
    let mut missing = named.filter_map(|path| Some((path, path.metadata().err()?)));
    let (path, reason) = missing.next()?;
    Some(InputError { path: path.clone(), reason }.into())
}

fn check_outputs_alone(outputs: &[&Path], inputs: &[PathBuf]) -> anyhow::Result<()> {
    for (index, output) in outputs.iter().enumerate() {
        let fault = if inputs.iter().any(|input| is_same_file(input, output)) {
            "it is one of the input files"
        } else if outputs[..index].iter().any(|other| is_same_file(other, output)) {
            "it is given for two outputs"
        } else {
            try_to_write(output).with_context(|| cannot_write(output))?;
            continue;
        };
        return Err(WrongInput(format!("{}: {fault}", cannot_write(output))).into());
    }
    Ok(())
}

/// Output that ignores a broken pipe, for commands that write files: the work goes on without a reader.
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
pub(in crate::commands) fn write_file(path: &Path, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
    atomic_write::replace(path, bytes.as_ref()).with_context(|| cannot_write(path))
}

/// Fails if a file exists, for commands that never replace one.
pub(in crate::commands) fn check_new(path: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(!path.exists(), "{} already exists", path.display());
    Ok(())
}

/// The error of a file or directory that cannot be written.
pub(in crate::commands) fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// Fails if a file cannot be written. The file itself is unchanged. Also creates and removes the
/// temporary file in its folder that atomic writing needs. Skips a device or a pipe, whose reader would
/// take the closing for the end.
fn try_to_write(path: &Path) -> io::Result<()> {
    if atomic_write::is_stream(path) {
        return Ok(());
    }
    if path.exists() {
        fs::OpenOptions::new().append(true).open(path)?;
    }
    let probe = atomic_write::temporary_path(path);
    match fs::OpenOptions::new().append(true).create_new(true).open(&probe) {
        // It was left by a killed run, or is in use.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
        Ok(_) => fs::remove_file(probe),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks outputs and inputs of these names in a folder with a file `here`.
    fn check(outputs: &[&str], inputs: &[&str]) -> Result<(), String> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("here"), "text").unwrap();
        fs::create_dir(folder.path().join("folder")).unwrap();
        let within = |names: &[&str]| names.iter().map(|name| folder.path().join(name)).collect();
        let (outputs, inputs): (Vec<PathBuf>, Vec<PathBuf>) = (within(outputs), within(inputs));
        let paths: Vec<&Path> = outputs.iter().map(PathBuf::as_path).collect();
        let result = check_outputs(&paths, &inputs).map_err(|error| format!("{error:#}"));
        assert_eq!(fs::read_to_string(folder.path().join("here")).unwrap(), "text");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no other file is left");
        result
    }

    #[test]
    fn an_input_is_not_overwritten_in_any_spelling_of_its_path() {
        for (output, input) in [("here", "here"), ("folder/../here", "here"), ("./new", "new")] {
            let error = check(&[output], &[input]).unwrap_err();
            assert!(error.ends_with("it is one of the input files"), "{error}");
        }
        assert_eq!(check(&["here", "new"], &["folder"]), Ok(()));
    }

    #[test]
    fn a_missing_input_is_reported_before_a_wrong_output() {
        for output in ["no/where", "here"] {
            let error = check(&[output], &["here", "missing"]).unwrap_err();
            assert!(error.contains("cannot read") && error.contains("missing: "), "{error}");
        }
        assert_eq!(check(&["new"], &["missing"]), Ok(()), "the reader reports it");
    }

    #[test]
    fn two_outputs_cannot_share_a_file_in_any_spelling_of_its_path() {
        let error = check(&["new", "folder/../new"], &[]).unwrap_err();
        assert!(error.ends_with("it is given for two outputs"), "{error}");
    }

    #[test]
    fn a_folder_is_refused_as_an_output() {
        let error = check(&["folder"], &[]).unwrap_err();
        assert!(error.contains("folder") && error.contains("directory"), "{error}");
    }
}
