//! `outrider lab draw`: pictures of the search of a tree.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::arguments::{AlgorithmArguments, TreeArguments};
use crate::commands::failure::WrongInput;
use crate::commands::tools::output::{check_outputs, write_file};
use outrider_laboratory::GameTree as _;
use outrider_laboratory::drawing::{self, DrawError, Format};

/// Trees, algorithms and the output file.
#[derive(Debug, Args)]
#[command(after_help = "\
Example: outrider lab draw --algorithm negascout --position startpos --depth 2 --output start.html")]
pub(crate) struct Arguments {
    #[command(flatten)]
    algorithms: AlgorithmArguments,
    #[command(flatten)]
    tree: TreeArguments,
    /// Output file: FILE.svg is a picture, FILE.txt is text for a terminal, FILE.html is a page that
    /// plays the search step by step
    #[arg(long, value_name = "FILE", value_parser = parse_output)]
    output: OutputFile,
}

/// An output file with the format of its extension.
#[derive(Clone, Debug)]
struct OutputFile {
    path: PathBuf,
    format: Format,
}

fn parse_output(text: &str) -> Result<OutputFile, String> {
    let path = PathBuf::from(text);
    let format = match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => Format::Picture,
        Some("txt") => Format::Text,
        Some("html") => Format::Page,
        _ => return Err("expected a name that ends in .svg, .txt or .html".to_owned()),
    };
    Ok(OutputFile { path, format })
}

/// Runs the subcommand. Prints the name of the written file to `output`.
///
/// # Errors
///
/// Fails if the tree cannot be read, is malformed or too large to draw, or if the file cannot be
/// written.
pub(super) fn command(arguments: &Arguments, output: &mut dyn Write) -> anyhow::Result<()> {
    let Arguments { algorithms, tree, output: OutputFile { path, format } } = arguments;
    check_outputs(&[path], tree.inputs())?;
    let (algorithms, settings) = (algorithms.chosen(), algorithms.settings());
    let (drawn, origin) = match tree.chess() {
        Some(tree) => {
            let drawn = drawing::draw_chess(&tree, algorithms, &settings, *format);
            (drawn, format!("--depth {}", tree.height()))
        }
        None => {
            let file = tree.file();
            let tree = file.trees()?.only().map_err(|error| file.read_error(error))?;
            (drawing::draw(&tree, algorithms, &settings, *format), file.origin())
        }
    };
    let text = drawn.map_err(|error| match error {
        DrawError::NoThread(_) => error.into(),
        _ => anyhow::Error::new(WrongInput(format!("{origin}: {error}"))),
    })?;
    write_file(path, &text)?;
    writeln!(output, "{} was written", path.display())?;
    Ok(())
}
