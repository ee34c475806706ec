//! `unspoken serve`: the server, with its options from the command line, the environment and
//! `unspoken.toml`.

use std::fs;
use std::io::{IsTerminal, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, Command, ValueEnum};
use server::{Certificate, Store};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};
use toml::Value;
use tracing::warn;
use tracing_subscriber::EnvFilter;

use crate::notify;

/// How the server is run.
#[derive(Args)]
#[group(id = "serve")]
pub struct Options {
    /// The configuration file; unspoken.toml if it exists
    #[arg(long, env = "UNSPOKEN_CONFIG")]
    config: Option<String>,
    /// How the log is written
    #[arg(long, env = "UNSPOKEN_LOG_FORMAT", default_value = "text")]
    log_format: LogFormat,
    /// What is logged, as in info or server=debug
    #[arg(long, env = "UNSPOKEN_LOG", default_value = "info")]
    log: String,
    #[command(flatten)]
    server: server::Options,
}

#[derive(Clone, Copy, ValueEnum)]
enum LogFormat {
    /// A line for people
    Text,
    /// A line of JSON for programs
    Json,
}

/// Serves until it is told to stop.
pub fn run(options: Options) -> Result<()> {
    // The socket library would log whole messages, including hands.
    let filter = EnvFilter::try_new(format!("{},tungstenite=info", options.log))
        .with_context(|| format!("--log {:?} is not a log filter, try info", options.log))?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    match options.log_format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
    runtime()?.block_on(serve(options.server))
}

/// One thread on a single core, where handing tasks between threads only costs time.
fn runtime() -> std::io::Result<Runtime> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let mut builder =
        if cores == 1 { Builder::new_current_thread() } else { Builder::new_multi_thread() };
    builder.enable_all().build()
}

async fn serve(options: server::Options) -> Result<()> {
    // A node joins before it listens: connections to one that waits would hang.
    let is_node = !options.cluster.access.brokers.is_empty();
    let joined = if is_node { Some(Store::open(&options).await?) } else { None };
    let listener = listen(options.listen, "--listen").await?;
    let metrics = listen(options.metrics, "--metrics").await?;
    let scheme = if options.tls_cert.is_some() { "https" } else { "http" };
    let path = options.base_path.prefix().to_owned();
    let (address, metrics_address) = (listener.local_addr()?, metrics.local_addr()?);
    let store = match joined {
        Some(store) => store,
        None => Store::open(&options).await?,
    };
    let server = server::open(options, store, listener, Some(metrics)).await?;
    if let Some(certificate) = server.certificate() {
        reload_on_hangup(certificate)?;
    }
    // Before the address is printed: a signal sent after that has to stop the server in good order.
    let (mut terminate, mut interrupt) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    say(format_args!("Unspoken listens at {scheme}://{address}{path}"));
    say(format_args!("Metrics are at http://{metrics_address}/metrics"));
    tell_systemd(notify::READY);
    let shutdown = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tell_systemd(notify::STOPPING);
    };
    server.serve(shutdown).await
}

/// Reads the certificate again whenever the process gets SIGHUP.
fn reload_on_hangup(certificate: Arc<Certificate>) -> Result<()> {
    let mut hangup = signal(SignalKind::hangup())?;
    tokio::spawn(async move {
        while hangup.recv().await.is_some() {
            certificate.reload();
        }
    });
    Ok(())
}

/// A server that systemd does not hear of is still a server.
fn tell_systemd(word: &str) {
    if let Err(error) = notify::notify(word) {
        warn!(%error, "systemd cannot be told that {word}");
    }
}

/// Prints a line for the operator. A closed standard output does not stop the server.
fn say(text: std::fmt::Arguments) {
    let _closed = writeln!(std::io::stdout(), "{text}");
}

async fn listen(address: std::net::SocketAddr, option: &str) -> Result<TcpListener> {
    TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen at {address}, choose another with {option}"))
}

/// Makes the values of the configuration file the defaults of `serve`: the command line and the
/// environment take precedence.
pub fn with_file(command: Command, arguments: &[String]) -> Result<Command> {
    let named = arguments.iter().position(|word| word == "--config");
    let named = named.and_then(|place| arguments.get(place + 1).cloned());
    let named = named.or_else(|| {
        arguments.iter().find_map(|word| word.strip_prefix("--config=").map(str::to_owned))
    });
    let named = named.or_else(|| std::env::var("UNSPOKEN_CONFIG").ok());
    let path = match &named {
        Some(path) => Path::new(path),
        None if Path::new("unspoken.toml").exists() => Path::new("unspoken.toml"),
        None => return Ok(command),
    };
    let text =
        fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let lines = text
        .parse::<toml::Table>()
        .with_context(|| format!("{} is not written as TOML", path.display()))?;
    let mut defaults = Vec::new();
    for (key, value) in lines.into_iter().flat_map(without_section) {
        let id = key.replace('-', "_");
        let serve = command.find_subcommand("serve").context("there is a serve command")?;
        if id == "config" || !serve.get_arguments().any(|argument| argument.get_id() == id.as_str())
        {
            bail!("{}: there is no option {key}, see unspoken serve --help", path.display());
        }
        let values = values(&value).ok_or_else(|| {
            anyhow!("{}: {key} is a text, a number or a list of them", path.display())
        })?;
        defaults.push((id, values));
    }
    Ok(command.mut_subcommand("serve", |serve| {
        defaults.into_iter().fold(serve, |serve, (id, values)| {
            serve.mut_arg(id, |argument| argument.default_values(values))
        })
    }))
}

/// The options of a line, by their names on the command line: several for the section `[cluster]`.
fn without_section((key, value): (String, Value)) -> Vec<(String, Value)> {
    match value {
        Value::Table(section) if key == "cluster" => {
            let named = section.into_iter().map(|(key, value)| match key.as_str() {
                "brokers" => ("cluster".to_owned(), value),
                _ => (format!("cluster-{key}"), value),
            });
            named.collect()
        }
        _ => vec![(key, value)],
    }
}

fn values(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Integer(number) => Some(vec![number.to_string()]),
        Value::Float(number) => Some(vec![number.to_string()]),
        Value::Boolean(switch) => Some(vec![switch.to_string()]),
        Value::Array(list) => {
            let texts = list.iter().map(|value| value.as_str().map(str::to_owned));
            texts.collect()
        }
        Value::Datetime(_) | Value::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::CommandFactory;

    /// The table of options in the operator's page, as the program knows them.
    fn table() -> String {
        let command = crate::Arguments::command();
        let serve = command.find_subcommand("serve").expect("there is a serve command");
        let options = serve.get_arguments().filter(|option| option.get_id() != "help");
        let rows = options.map(|option| {
            let long = option.get_long().expect("options are written out");
            let variable = option.get_env().expect("every option is a variable, too").display();
            let default = option.get_default_values().iter().map(|value| value.display());
            let default = default.map(|value| format!("`{value}`")).next().unwrap_or_default();
            let help = option.get_help().expect("every option says what it is");
            format!("| `--{long}` | `{variable}` | {default} | {help} |\n")
        });
        rows.collect()
    }

    #[test]
    fn the_page_for_operators_lists_every_option() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operating.md");
        let page = std::fs::read_to_string(page).unwrap();
        let table = table();
        assert!(page.contains(&table), "docs/operating.md has another table than this:\n{table}");
    }
}
