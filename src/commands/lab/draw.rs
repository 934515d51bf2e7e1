//! `outrider lab draw`: pictures of how a tree is searched.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use super::subject::{Searches, TreeFile};
use crate::commands::failure::WrongInput;
use crate::laboratory::drawing::{self, DrawError, Format};

/// What to draw and where.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    searches: Searches,
    /// File of a tree in brackets, `[[5 7] [[-7 3] [2 9]]]`, from the root player's side; - is the
    /// standard input
    #[arg(long, value_name = "FILE")]
    tree: TreeFile,
    /// The file to write: FILE.svg is a picture, FILE.txt is for a terminal, FILE.html is a page
    /// that plays the search step by step
    #[arg(long, value_name = "FILE", value_parser = parse_output)]
    output: Output,
}

/// A file whose name says what it will hold.
#[derive(Clone, Debug)]
struct Output {
    path: PathBuf,
    format: Format,
}

fn parse_output(text: &str) -> Result<Output, String> {
    let path = PathBuf::from(text);
    let format = match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => Format::Picture,
        Some("txt") => Format::Text,
        Some("html") => Format::Page,
        _ => return Err("the name must end in .svg, .txt or .html".to_owned()),
    };
    Ok(Output { path, format })
}

/// The subcommand. Prints to `output` which file was written.
///
/// # Errors
///
/// Fails if the tree cannot be read, is malformed or too large to be drawn, or if the file cannot
/// be written.
pub fn command(arguments: &Arguments, output: &mut dyn Write) -> anyhow::Result<()> {
    let Arguments { searches, tree: file, output: Output { path, format } } = arguments;
    let tree = file.trees()?.only().map_err(|error| file.complaint(error))?;
    let drawn = drawing::draw(&tree, searches.algorithms(), &searches.settings(), *format);
    let text = drawn.map_err(|error| match error {
        DrawError::NoThread(_) => error.into(),
        _ => anyhow::Error::new(WrongInput(format!("{}: {error}", file.origin()))),
    })?;
    write(path, &text)?;
    writeln!(output, "{} was written", path.display())?;
    Ok(())
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
