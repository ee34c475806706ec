//! The figures of a report, drawn.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::coord::types::RangedCoordf64;
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
    let within = report.gaps.iter().map(|gap| {
        let (least, most) = (gap.fair - gap.within, gap.fair + gap.within);
        (f64::from(gap.gap_ms), least.max(0.0), most.min(100.0))
    });
    let last = report.gaps.last().map_or(100.0, |gap| f64::from(gap.gap_ms));
    let drawing = Drawing {
        title: format!("{}, n = {} pairs, with 95 % intervals", report.title, report.pairs),
        axes: ["time between presses, ms", "% in the right order"],
        lines: vec![
            ("by presses", FAIR, of(|gap| gap.fair)),
            ("by arrival", PLAIN, of(|gap| gap.arrival)),
        ],
        intervals: within.collect(),
    };
    save(path, |area| {
        let mut chart = builder(area, &drawing).build_cartesian_2d(0.0..last, 40.0..101.0)?;
        draw_lines(&mut chart, &drawing)
    })
}

/// The shortest time on the axis: most cards are seen by all within a few milliseconds.
const SHORTEST_MS: f64 = 1.0;

/// How long it takes from the first who sees a card to the last. The times reach from milliseconds
/// to seconds, so their axis is logarithmic.
fn draw_seen(report: &Report, path: &Path) -> Result<()> {
    let curve = |of: &[(f64, f64)]| {
        of.iter().map(|(ms, share)| (ms.max(SHORTEST_MS), *share)).collect::<Vec<_>>()
    };
    let drawing = Drawing {
        title: format!("{}, n = {} tables", report.title, report.runs),
        axes: ["ms from the first who sees a card to the last", "% of cards"],
        lines: vec![
            ("shown together", FAIR, curve(&report.spread.curve)),
            ("shown as it comes", PLAIN, curve(&report.plain_spread.curve)),
        ],
        intervals: vec![],
    };
    let ends = drawing.lines.iter().filter_map(|(.., curve)| curve.last()).map(|(ms, _)| *ms);
    let last = ends.fold(10.0 * SHORTEST_MS, f64::max);
    save(path, |area| {
        let times = (SHORTEST_MS..last).log_scale();
        let mut chart = builder(area, &drawing).build_cartesian_2d(times, 0.0..101.0)?;
        draw_lines(&mut chart, &drawing)
    })
}

/// What is drawn: lines, and from where to where a point may be by chance.
struct Drawing {
    title: String,
    axes: [&'static str; 2],
    lines: Vec<Line>,
    intervals: Vec<(f64, f64, f64)>,
}

/// Its name, its colour and its points.
type Line = (&'static str, RGBColor, Vec<(f64, f64)>);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b, X> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, RangedCoordf64>>;

fn save(
    path: &Path,
    drawn: impl FnOnce(&Area) -> Result<(), Box<dyn std::error::Error>>,
) -> Result<()> {
    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    let failed = |error| anyhow!("{} cannot be drawn: {error}", path.display());
    drawn(&area).map_err(failed)?;
    area.present().map_err(|error| failed(error.into()))
}

fn builder<'a, 'b>(area: &'a Area<'b>, drawing: &Drawing) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(area);
    builder
        .caption(&drawing.title, ("sans-serif", 16))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(52);
    builder
}

fn draw_lines<'a, 'b: 'a, X: Ranged<ValueType = f64> + ValueFormatter<f64>>(
    chart: &mut Chart<'a, 'b, X>,
    Drawing { axes: [x, y], lines, intervals, .. }: &Drawing,
) -> Result<(), Box<dyn std::error::Error>> {
    chart.plotting_area().fill(&WHITE)?;
    chart.configure_mesh().x_desc(*x).y_desc(*y).light_line_style(WHITE).draw()?;
    let bars = intervals.iter().map(|(x, least, most)| {
        PathElement::new([(*x, *least), (*x, *most)], FAIR.mix(0.5).stroke_width(2))
    });
    chart.draw_series(bars)?;
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
    Ok(())
}
