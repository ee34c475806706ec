//! Memory, files and latency over time, as one SVG picture.

use std::fmt::Write as _;

use super::figures::Figures;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 150.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
/// Room above a panel for its title.
const ABOVE: f64 = 34.0;
const COLOURS: [&str; 3] = ["#2563a8", "#b8560f", "#4c7a34"];

/// A line of a panel.
struct Line {
    name: &'static str,
    /// Parts that are not joined: the lives of the server.
    parts: Vec<Vec<(f64, f64)>>,
}

/// Draws all panels, one below the other.
pub fn draw(figures: &Figures) -> String {
    let lives = |figure: fn(&super::Seen) -> f64| {
        let points = |life: &[super::Sample]| {
            life.iter().map(|sample| (sample.minutes, figure(&sample.seen))).collect()
        };
        figures.lives().into_iter().map(points).collect::<Vec<_>>()
    };
    let waits = |figure: fn(&super::Wait) -> f64| {
        vec![figures.waits.iter().map(|wait| (wait.minutes, figure(wait))).collect()]
    };
    let panels = [
        ("Memory, MB", vec![Line { name: "", parts: lives(|seen| seen.resident_bytes / 1e6) }]),
        (
            "Open files and threads",
            vec![
                Line { name: "files and sockets", parts: lives(|seen| seen.open_files) },
                Line { name: "threads", parts: lives(|seen| seen.threads) },
            ],
        ),
        (
            "A move, ms, until the last player of its table has received it",
            vec![
                Line { name: "p99", parts: waits(|wait| wait.p99_ms) },
                Line { name: "p50", parts: waits(|wait| wait.p50_ms) },
            ],
        ),
        ("Ready, ms", vec![Line { name: "", parts: lives(|seen| seen.ready_ms) }]),
        (
            "Data file and its log, MB",
            vec![Line { name: "", parts: lives(|seen| seen.file_bytes / 1e6) }],
        ),
    ];
    let sampled = figures.samples.iter().map(|sample| sample.minutes);
    let moved = figures.waits.iter().map(|wait| wait.minutes);
    let minutes = sampled.chain(moved).fold(0.1, f64::max);
    let restarts = figures.restarts.iter().map(|(at, how)| (*at, *how)).collect::<Vec<_>>();
    let height = panels.len() as f64 * (HEIGHT + ABOVE) + 40.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n\
         <title>A server over {minutes:.0} minutes of games</title>\n\
         <rect width=\"{WIDTH}\" height=\"{height:.0}\" fill=\"#ffffff\"/>\n"
    );
    for (index, (title, lines)) in panels.iter().enumerate() {
        let top = index as f64 * (HEIGHT + ABOVE) + ABOVE;
        panel(&mut svg, top, title, lines, minutes, &restarts);
    }
    let bottom = height - 40.0;
    for step in 0..=6 {
        let at = minutes * f64::from(step) / 6.0;
        let x = across(at, minutes);
        let _infallible = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#333\">{at:.0}</text>",
            bottom + 16.0
        );
    }
    let _infallible = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#333\">minutes; dashed: the \
         server was started again</text>\n</svg>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        bottom + 34.0
    );
    svg
}

fn across(at: f64, minutes: f64) -> f64 {
    LEFT + at / minutes * (WIDTH - LEFT - RIGHT)
}

fn panel(
    svg: &mut String,
    top: f64,
    title: &str,
    lines: &[Line],
    minutes: f64,
    restarts: &[(f64, &str)],
) {
    let points = || lines.iter().flat_map(|line| line.parts.iter().flatten());
    let most = round_up(points().map(|(_, y)| *y).filter(|y| y.is_finite()).fold(0.0, f64::max));
    let bottom = top + HEIGHT;
    let y = |value: f64| bottom - value / most * (HEIGHT - 8.0);
    let _infallible = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{:.1}\" font-weight=\"bold\" fill=\"#111\">{title}</text>",
        top - 6.0
    );
    for value in [0.0, most / 2.0, most] {
        let at = y(value);
        let _infallible = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#333\">{value}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0
        );
    }
    for (at, how) in restarts {
        let x = across(*at, minutes);
        let _infallible = writeln!(
            svg,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top:.1}\" y2=\"{bottom:.1}\" stroke=\"#888\" \
             stroke-dasharray=\"4 3\"><title>{how}</title></line>"
        );
    }
    for (index, line) in lines.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        for part in &line.parts {
            let at =
                |(x, value): &(f64, f64)| format!("{:.1},{:.1}", across(*x, minutes), y(*value));
            let shown = part.iter().filter(|(_, value)| value.is_finite());
            let points = shown.map(at).collect::<Vec<_>>().join(" ");
            let _infallible = writeln!(
                svg,
                "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" \
                 stroke-width=\"1.5\"/>"
            );
        }
        let _infallible = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{colour}\">{}</text>",
            WIDTH - RIGHT - 130.0 * index as f64,
            top - 6.0,
            line.name
        );
    }
}

/// The next of 1, 2, 4 and 10 times a power of ten.
fn round_up(most: f64) -> f64 {
    if most <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(most.log10().floor());
    let step = [1.0, 2.0, 4.0, 10.0].into_iter().find(|step| step * power >= most);
    step.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers() {
        for (most, round) in [(0.0, 1.0), (0.03, 0.04), (1.0, 1.0), (1.2, 2.0), (37.0, 40.0)] {
            assert!((round_up(most) - round).abs() < 1e-9, "{most}");
        }
        assert!((round_up(41.0) - 100.0).abs() < 1e-9);
    }

    #[test]
    fn a_picture_without_samples_is_still_a_picture() {
        let svg = draw(&Figures::default());
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
        assert!(!svg.contains("NaN"), "{svg}");
    }
}
