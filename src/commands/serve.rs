//! `outrider serve`: play, analyse and review in the browser.

use std::io::{self, IsTerminal as _, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};

use super::failure::WrongInput;
use super::tools::common::{open_tablebases, processors};
use outrider_engine::book::Book;
use outrider_engine::memory_limit::check_tables;
use outrider_serve::{Budget, Server, ServerOptions, qr_code};

/// Number of ports tried for a suggestion if the requested port is in use.
const PORTS_TO_TRY: u16 = 100;
/// Maximum time that running work may take at the end of the program.
const GRACE: Duration = Duration::from_millis(300);

/// The subcommand of the server.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play, analyse and review in the browser
    Serve(Arguments),
}

impl Command {
    /// Serves until the program is told to end. Writes the address to `output`.
    ///
    /// # Errors
    ///
    /// Fails if the server cannot listen on the address or endgame tables cannot be read.
    pub(crate) fn execute(&self, output: &mut dyn Write) -> anyhow::Result<()> {
        let Command::Serve(arguments) = self;
        let options = arguments.options()?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start the server")?;
        let result = runtime.block_on(serve(arguments, options, output));
        runtime.shutdown_timeout(GRACE);
        result
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Open the printed address in a browser. Only this machine can connect, unless you --listen on another \
address. Then the printed links contain a secret, and everybody with a link can use the server. With \
--listen 0.0.0.0 (or ::) a link is printed for each address of this machine, and on a terminal a QR code \
for a phone. Each page has two engines: one for games and analyses, one for reviews and suites. All pages \
together search with --threads threads. Each engine has an equal part of --hash: --hash divided by \
--sessions and by two. The browser keeps the games and the puzzles; nothing is written to files.

Example: outrider serve --open")]
pub(crate) struct Arguments {
    /// Port to listen on; 0 for any free port
    #[arg(long, value_name = "N", default_value_t = 8808)]
    port: u16,
    /// Address of this machine to listen on; 0.0.0.0 for all
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Search threads of all pages together [default: number of processors minus one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
    /// Size of the transposition tables of all pages together, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 512,
        value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Directory of Syzygy tables
    #[arg(long, value_name = "PATH")]
    syzygy: Option<PathBuf>,
    /// Opening book in Polyglot's format, for the opening explorer
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Maximum number of pages at a time
    #[arg(long, value_name = "N", default_value_t = 8,
        value_parser = clap::value_parser!(u16).range(1..=512))]
    sessions: u16,
}

impl Arguments {
    fn options(&self) -> anyhow::Result<ServerOptions> {
        let threads = self.threads.map_or_else(|| processors().saturating_sub(1), usize::from);
        let max_clients = usize::from(self.sessions);
        // Each page has two engines: one for play and analysis, one for reviews and suites.
        let megabytes = self.hash as usize / max_clients / 2;
        if megabytes == 0 {
            let reason =
                format!("{} MB are less than 2 MB for each of {max_clients} sessions", self.hash);
            return Err(WrongInput(reason).into());
        }
        check_tables(self.hash as usize)?;
        let tables = self.syzygy.as_deref().map(open_tablebases).transpose()?.map(Arc::new);
        let book = self.book.as_deref().map(Book::open).transpose()?;
        let budget = Budget::new(threads.max(1), megabytes, tables);
        Ok(ServerOptions { max_clients, budget, book })
    }
}

async fn serve(
    arguments: &Arguments,
    options: ServerOptions,
    output: &mut dyn Write,
) -> anyhow::Result<()> {
    let address = SocketAddr::new(arguments.listen, arguments.port);
    let server = match Server::bind(address, options).await {
        Ok(server) => server,
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
            bail!(port_in_use_message(address))
        }
        Err(error) => return Err(error).with_context(|| format!("cannot listen on {address}")),
    };
    let link = server.link();
    // One write: a script may close the pipe after the first line.
    output.write_all(greeting(&server, io::stdout().is_terminal()).as_bytes())?;
    output.flush()?;
    if arguments.open
        && let Err(error) = open::that_detached(&link)
    {
        writeln!(output, "cannot start the browser ({error}); open the address yourself")?;
    }
    tokio::select! {
        () = server.run() => {}
        () = shutdown_requested() => {}
    }
    Ok(())
}

/// Returns what is printed at the start: the link, the links for other devices and, for a terminal, the QR
/// code of the first of these.
fn greeting(server: &Server, is_terminal: bool) -> String {
    let link = server.link();
    let others = server.links_for_other_devices();
    let mut text = format!("{link}\n");
    if others.iter().any(|other| *other != link) {
        text.push_str("On another device in the same network, open:\n");
        others.iter().for_each(|other| text.push_str(&format!("  {other}\n")));
    }
    let code = others.first().filter(|_| is_terminal).and_then(|first| qr_code(first));
    if let Some(code) = code {
        text.push_str(&format!("Or scan this code with a phone:\n{code}"));
    }
    text
}

/// Returns the error message for a port in use, with the next free port.
fn port_in_use_message(address: SocketAddr) -> String {
    let port = address.port();
    let next = (port.saturating_add(1)..=port.saturating_add(PORTS_TO_TRY))
        .find(|&port| TcpListener::bind(SocketAddr::new(address.ip(), port)).is_ok());
    let hint = next.map(|next| format!("; the next free one is {next}: --port {next}"));
    format!("port {port} is in use{}", hint.unwrap_or_default())
}

/// Waits for Ctrl-C or, on Unix, SIGTERM.
async fn shutdown_requested() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut terminate) = signal(SignalKind::terminate()) else {
            return drop(tokio::signal::ctrl_c().await);
        };
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    drop(tokio::signal::ctrl_c().await);
}
