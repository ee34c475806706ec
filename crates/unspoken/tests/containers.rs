//! The container files in `dist`, read without a container engine, and run without a container.

mod running;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;

use parse_dockerfile::{Command as Words, Dockerfile, HealthcheckArguments, Instruction, Source};
use serde_yaml_ng::Value;
use tempfile::TempDir;

use running::{Running, http, serve, text};

const PROGRAM: &str = "/usr/local/bin/unspoken";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

/// The variables of the last stage.
fn variables(dockerfile: &Dockerfile) -> BTreeMap<String, String> {
    let last = dockerfile.stages().last().expect("there is a stage");
    let mut found = BTreeMap::new();
    for instruction in last.instructions {
        if let Instruction::Env(env) = instruction {
            for word in env.arguments.value.split_whitespace().filter(|word| *word != "\\") {
                let (name, value) = word.split_once('=').expect(word);
                found.insert(name.to_owned(), value.to_owned());
            }
        }
    }
    found
}

/// The words of a command that no shell reads.
fn exec(command: &Words) -> Vec<String> {
    match command {
        Words::Exec(words) => words.value.iter().map(|word| word.value.to_string()).collect(),
        Words::Shell(text) => panic!("the image has no shell for {:?}", text.value),
        _ => panic!("an unknown kind of command"),
    }
}

#[test]
fn the_image_is_built_from_what_is_there() {
    let text = read("dist/Dockerfile");
    let dockerfile = parse_dockerfile::parse(&text).unwrap();
    let manifest = read("Cargo.toml").parse::<toml::Table>().unwrap();
    let version = manifest["workspace"]["package"]["rust-version"].as_str().unwrap();
    let mut stages = BTreeSet::new();
    let mut copies = 0;
    for stage in dockerfile.stages() {
        let image = &stage.from.image.value;
        // All kinds of processors: the images are for many, and none is named here.
        assert!(!image.contains("amd64") && stage.from.options.is_empty(), "{image}");
        if image.starts_with("rust:") {
            assert_eq!(*image, format!("rust:{version}-slim-bookworm"));
        }
        for instruction in stage.instructions {
            let Instruction::Copy(copy) = instruction else { continue };
            let from = copy.options.iter().find(|flag| flag.name.value == "from");
            let from = from.and_then(|flag| flag.value.as_ref()).map(|name| name.value.to_string());
            for source in &copy.src {
                let Source::Path(path) = source else { panic!("a text in a COPY") };
                match &from {
                    Some(stage) => assert!(stages.contains(stage), "{stage} is no earlier stage"),
                    None => assert!(root().join(&*path.value).exists(), "{}", path.value),
                }
                copies += 1;
            }
        }
        stages.extend(stage.from.as_.iter().map(|(_, name)| name.value.to_string()));
    }
    assert_eq!((stages.len(), copies), (2, 4), "{stages:?}");
    assert!(stages.contains("build"));
    let ignored = read(".dockerignore");
    for name in [".git", "**/target", "**/node_modules", "rust-toolchain.toml"] {
        assert!(ignored.lines().any(|line| line == name), "{name} is sent to the builder");
    }
}

/// The commands and variables of the image, with free ports and a folder of the test's.
#[test]
fn the_image_serves_is_healthy_and_can_be_scraped() {
    let text_of_file = read("dist/Dockerfile");
    let dockerfile = parse_dockerfile::parse(&text_of_file).unwrap();
    let last = dockerfile.stages().last().unwrap();
    let (mut entry, mut command, mut health, mut ports) = (vec![], vec![], vec![], vec![]);
    for instruction in last.instructions {
        match instruction {
            Instruction::Entrypoint(it) => entry = exec(&it.arguments),
            Instruction::Cmd(it) => command = exec(&it.arguments),
            Instruction::Healthcheck(it) => match &it.arguments {
                HealthcheckArguments::Cmd { arguments, .. } => health = exec(arguments),
                _ => panic!("no health check"),
            },
            Instruction::Expose(it) => {
                ports.extend(it.arguments.iter().map(|port| port.value.parse::<u16>().unwrap()));
            }
            _ => {}
        }
    }
    assert_eq!((&entry[..], &command[..]), (&[PROGRAM.to_owned()][..], &["serve".to_owned()][..]));
    assert_eq!(health[0], PROGRAM);

    let folder = TempDir::new().unwrap();
    let mut variables = variables(&dockerfile);
    for name in ["UNSPOKEN_LISTEN", "UNSPOKEN_METRICS"] {
        let address = variables[name].parse::<SocketAddr>().unwrap();
        assert!(address.ip().is_unspecified(), "{name} cannot be reached from outside: {address}");
        assert!(ports.contains(&address.port()), "{address} is not exposed");
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        variables.insert(name.to_owned(), SocketAddr::new(address.ip(), free).to_string());
    }
    let data = folder.path().join("tables.db").to_str().unwrap().to_owned();
    variables.insert("UNSPOKEN_DATA".to_owned(), data);
    let mut command = serve(folder.path(), &[]);
    command.envs(&variables);
    let server = Running::wait(command);
    let checked = Command::new(env!("CARGO_BIN_EXE_unspoken"))
        .args(&health[1..])
        .env_clear()
        .envs(&variables)
        .output()
        .unwrap();
    assert!(checked.status.success(), "{}", text(&checked));
    let metrics = SocketAddr::from(([127, 0, 0, 1], server.metrics.port()));
    let scraped = http(metrics, "GET /metrics", "", "");
    assert!(scraped.contains("\nunspoken_build_info{"), "{scraped}");
    server.end("-TERM");
}

#[test]
fn compose_puts_caddy_in_front_and_trusts_it_alone() {
    let compose = serde_yaml_ng::from_str::<Value>(&read("dist/compose.yaml")).unwrap();
    let services = &compose["services"];
    let (server, caddy) = (&services["unspoken"], &services["caddy"]);
    let file = server["build"]["dockerfile"].as_str().unwrap();
    let context = server["build"]["context"].as_str().unwrap();
    assert!(root().join("dist").join(context).join(file).exists(), "{file}");
    assert!(server["ports"].is_null(), "the server is reached through Caddy alone");
    let trusted = server["environment"]["UNSPOKEN_TRUSTED_PROXY"].as_str().unwrap();
    let caddy_ip = caddy["networks"]["inside"]["ipv4_address"].as_str().unwrap();
    assert_eq!(trusted.parse::<IpAddr>().unwrap(), caddy_ip.parse::<IpAddr>().unwrap());
    let mounted = caddy["volumes"].as_sequence().unwrap().iter().filter_map(Value::as_str);
    let files = mounted.filter(|volume| volume.starts_with("./")).collect::<Vec<_>>();
    assert_eq!(files.len(), 1);
    let source = files[0].split(':').next().unwrap();
    let caddyfile = fs::read_to_string(root().join("dist").join(source)).unwrap();
    for (name, _) in caddy["environment"].as_mapping().unwrap() {
        let name = name.as_str().unwrap();
        assert!(caddyfile.contains(&format!("{{${name}:")), "the Caddyfile does not read {name}");
    }
    let volumes = compose["volumes"].as_mapping().unwrap();
    for service in [server, caddy] {
        for volume in service["volumes"].as_sequence().unwrap() {
            let source = volume.as_str().unwrap().split(':').next().unwrap();
            let is_known = source.starts_with("./") || volumes.contains_key(source);
            assert!(is_known, "{source} is no volume");
        }
    }
}

/// The text of a service's variable.
fn variable<'a>(service: &'a Value, name: &str) -> &'a str {
    service["environment"][name].as_str().unwrap_or_else(|| panic!("{name} is not set"))
}

/// The hosts of addresses with commas between them, as in `nats://user:password@host:4222`.
fn hosts(addresses: &str) -> BTreeSet<&str> {
    let places = addresses.split(',').filter_map(|address| address.rsplit(['@', '/']).next());
    places.filter_map(|place| place.split(':').next()).collect()
}

#[test]
fn compose_of_a_cluster_has_three_brokers_and_three_nodes_behind_caddy() {
    let mut compose = serde_yaml_ng::from_str::<Value>(&read("dist/compose-cluster.yaml")).unwrap();
    compose.apply_merge().unwrap();
    let services = compose["services"].as_mapping().unwrap();
    let named = |start: &str| {
        let all = services.iter().map(|(name, service)| (name.as_str().unwrap(), service));
        all.filter(|(name, _)| name.starts_with(start)).collect::<BTreeMap<_, _>>()
    };
    let (brokers, nodes) = (named("broker-"), named("node-"));
    assert_eq!((brokers.len(), nodes.len(), services.len()), (3, 3, 7));
    let of_brokers = brokers.keys().copied().collect::<BTreeSet<_>>();

    let config = read("dist/nats/broker.conf");
    for (name, broker) in &brokers {
        assert_eq!(variable(broker, "BROKER"), *name);
        assert!(config.contains(&format!("nats://{name}:6222")), "no route to {name}");
        for variable in ["BROKER", "BROKER_STORE", "BROKER_PASSWORD"] {
            assert!(config.contains(&format!("${variable}")), "{variable} is not read");
            assert!(!broker["environment"][variable].is_null(), "{variable} of {name}");
        }
        assert!(broker["ports"].is_null(), "brokers are reached by nodes alone");
        let image = broker["image"].as_str().unwrap();
        let version = image.strip_prefix("nats:").unwrap().split(['.', '-']).collect::<Vec<_>>();
        let version = [0, 1].map(|place| version[place].parse::<u32>().unwrap());
        assert!(version >= [2, 14], "nodes refuse {image}");
        let volumes = broker["volumes"].as_sequence().unwrap();
        let volumes = volumes.iter().filter_map(Value::as_str).collect::<Vec<_>>();
        assert!(volumes.contains(&format!("{name}:/data").as_str()), "{volumes:?}");
    }
    let caddy = &compose["services"]["caddy"];
    let caddy_ip = caddy["networks"]["inside"]["ipv4_address"].as_str().unwrap();
    for (name, node) in &nodes {
        let brokers_of_node = variable(node, "UNSPOKEN_CLUSTER");
        let monitored = variable(node, "UNSPOKEN_CLUSTER_MONITORING");
        // The message after `:?` has no comma, colon or slash.
        let with_password = brokers_of_node.replace(
            "${BROKER_PASSWORD:?choose a password that begins with a letter}",
            "${BROKER_PASSWORD}",
        );
        assert_eq!(hosts(&with_password), of_brokers);
        assert_eq!(hosts(monitored), of_brokers);
        assert_eq!(variable(node, "UNSPOKEN_TRUSTED_PROXY"), caddy_ip);
        assert!(node["ports"].is_null(), "{name} is reached through Caddy alone");
        let file = node["build"]["dockerfile"].as_str().unwrap();
        let context = node["build"]["context"].as_str().unwrap();
        assert!(root().join("dist").join(context).join(file).exists(), "{file}");
        let upstream = format!("{name}:8080");
        assert!(variable(caddy, "UPSTREAMS").split(' ').any(|it| it == upstream), "{upstream}");
    }
    let ips = nodes.values().map(|node| node["networks"]["inside"]["ipv4_address"].as_str());
    assert_eq!(ips.collect::<BTreeSet<_>>().len(), 3);
    let volumes = compose["volumes"].as_mapping().unwrap();
    for (name, service) in services {
        for volume in service["volumes"].as_sequence().unwrap() {
            let source = volume.as_str().unwrap().split(':').next().unwrap();
            let is_there = match source.strip_prefix("./") {
                Some(file) => root().join("dist").join(file).exists(),
                None => volumes.contains_key(source),
            };
            assert!(is_there, "{source} of {name:?}");
        }
    }
    let caddyfile = read("dist/caddy/cluster.Caddyfile");
    for (name, _) in caddy["environment"].as_mapping().unwrap() {
        let name = name.as_str().unwrap();
        assert!(caddyfile.contains(&format!("{{${name}:")), "the Caddyfile does not read {name}");
    }
}
