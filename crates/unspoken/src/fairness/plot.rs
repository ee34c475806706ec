//! The figures of a report, drawn.

use std::ops::Range;
use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;

use super::report::Report;

const SIZE: (u32, u32) = (720, 360);
const FAIR: RGBColor = RGBColor(32, 110, 200);
const PLAIN: RGBColor = RGBColor(200, 90, 40);

/// Draws a report into `<folder>/<name>-order.svg` and `<folder>/<name>-seen.svg`.
pub fn draw(report: &Report, folder: &Path) -> Result<()> {
    let path = |what: &str| folder.join(format!("{}-{what}.svg", report.name));
    draw_order(report, &path("order"))?;
    draw_seen(report, &path("seen"))
}

/// How many pairs come out right, by how far apart they were pressed.
fn draw_order(report: &Report, path: &Path) -> Result<()> {
    let of = |share: fn(&super::report::Gap) -> f64| {
        report.gaps.iter().map(move |gap| (f64::from(gap.gap_ms), share(gap))).collect()
    };
    let last = report.gaps.last().map_or(100.0, |gap| f64::from(gap.gap_ms));
    let lines =
        [("by presses", FAIR, of(|gap| gap.fair)), ("by arrival", PLAIN, of(|gap| gap.arrival))];
    let axes = ["time between presses, ms", "% in the right order"];
    chart(path, &report.title, axes, 0.0..last, 40.0..101.0, &lines)
}

/// How long it takes from the first who sees a card to the last.
fn draw_seen(report: &Report, path: &Path) -> Result<()> {
    let lines = [
        ("shown together", FAIR, report.spread.curve.clone()),
        ("shown as it comes", PLAIN, report.plain_spread.curve.clone()),
    ];
    let ends = lines.iter().filter_map(|(.., curve)| curve.last()).map(|(ms, _)| *ms);
    let last = ends.fold(1.0, f64::max);
    let axes = ["ms from the first who sees a card to the last", "% of cards"];
    chart(path, &report.title, axes, 0.0..last, 0.0..101.0, &lines)
}

type NamedCurve = (&'static str, RGBColor, Vec<(f64, f64)>);

fn chart(
    path: &Path,
    title: &str,
    [x, y]: [&str; 2],
    xs: Range<f64>,
    ys: Range<f64>,
    lines: &[NamedCurve],
) -> Result<()> {
    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    drawn(&area, title, [x, y], xs, ys, lines)
        .map_err(|error| anyhow!("{} cannot be drawn: {error}", path.display()))
}

fn drawn(
    area: &DrawingArea<SVGBackend, Shift>,
    title: &str,
    [x, y]: [&str; 2],
    xs: Range<f64>,
    ys: Range<f64>,
    lines: &[NamedCurve],
) -> Result<(), Box<dyn std::error::Error>> {
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(52)
        .build_cartesian_2d(xs, ys)?;
    chart.configure_mesh().x_desc(x).y_desc(y).light_line_style(WHITE).draw()?;
    for (name, colour, points) in lines {
        let colour = *colour;
        chart
            .draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()?;
    area.present()?;
    Ok(())
}
