//! Pictures of results, as SVG.

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use tempo::Waited;

use crate::tally::Tally;

/// A line in a picture: its name and its points.
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// What the axes are called and how far they go.
pub struct Axes {
    /// Along the bottom.
    pub x: &'static str,
    /// Up the side.
    pub y: &'static str,
    /// The highest value on it; the data decide if there is none.
    pub y_most: Option<f64>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// Draws panels under each other, each with lines of its own.
pub fn draw(panels: &[(Axes, Vec<Series>)]) -> Result<String, String> {
    let mut text = String::new();
    {
        let height = 320 * panels.len().max(1) as u32;
        let root = SVGBackend::with_string(&mut text, (760, height)).into_drawing_area();
        root.fill(&WHITE).map_err(|error| error.to_string())?;
        for (area, (axes, series)) in root.split_evenly((panels.len().max(1), 1)).iter().zip(panels)
        {
            panel(area, axes, series)?;
        }
        root.present().map_err(|error| error.to_string())?;
    }
    Ok(text)
}

/// The share of games that reached each level.
pub fn levels(tally: &Tally) -> Series {
    let begun = tally.begun();
    let points = begun.iter().enumerate().filter(|(_, games)| **games > 0);
    let share = |games: u64| games as f64 / (tally.games as f64).max(1.0);
    let points = points.map(|(level, games)| ((level + 1) as f64, share(*games))).collect();
    Series { name: "reached".to_owned(), points }
}

/// The gaps of a bin of waits are no further apart than by this factor.
const BIN: f64 = 1.25;
/// How many plays a bin needs to be drawn.
const PLAYS_LEAST: usize = 12;

/// The middle of the waits that ended in a play, over how far the card was.
pub fn waits(name: String, waits: &[Waited]) -> Series {
    let mut plays = waits.iter().filter(|wait| wait.played()).collect::<Vec<_>>();
    plays.sort_by(|one, other| one.distance().total_cmp(&other.distance()));
    let bins = plays.chunk_by(|one, other| bin(one).total_cmp(&bin(other)).is_eq());
    let bins = bins.filter(|plays| plays.len() >= PLAYS_LEAST);
    let points = bins.map(|plays| {
        let distance = plays.iter().map(|wait| wait.distance()).sum::<f64>() / plays.len() as f64;
        let mut times_s = plays.iter().map(|wait| wait.time_s()).collect::<Vec<_>>();
        times_s.sort_by(f64::total_cmp);
        (distance, times_s[times_s.len() / 2])
    });
    Series { name, points: points.collect() }
}

fn bin(wait: &Waited) -> f64 {
    (wait.distance().max(1.0).ln() / BIN.ln()).floor()
}

fn panel(area: &Area, axes: &Axes, series: &[Series]) -> Result<(), String> {
    let points = || series.iter().flat_map(|series| &series.points);
    let most = |value: fn(&(f64, f64)) -> f64| points().map(value).fold(1e-9, f64::max);
    let (x_most, y_most) = (most(|point| point.0), axes.y_most.unwrap_or(most(|point| point.1)));
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..x_most * 1.02, 0.0..y_most * 1.05)
        .map_err(|error| error.to_string())?;
    mesh(&mut chart, axes)?;
    for (number, Series { name, points }) in series.iter().enumerate() {
        let colour = Palette99::pick(number).to_rgba();
        let line = LineSeries::new(points.iter().copied(), colour.stroke_width(2));
        let drawn = chart.draw_series(line).map_err(|error| error.to_string())?;
        drawn.label(name).legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour));
    }
    chart
        .configure_series_labels()
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()
        .map_err(|error| error.to_string())
}

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

fn mesh(chart: &mut Chart, axes: &Axes) -> Result<(), String> {
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(axes.x).y_desc(axes.y).draw().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_drawn_by_their_middle_and_only_those_that_ended_in_a_play() {
        let slow = (0..40).map(|late| Waited::new(10.0 + f64::from(late % 5), 20.0, true));
        let silent = (0..40).map(|_| Waited::new(1.0, 20.0, false));
        let rare = (0..3).map(|_| Waited::new(5.0, 3.0, true));
        let all = slow.chain(silent).chain(rare).collect::<Vec<_>>();
        assert_eq!(waits("a player".to_owned(), &all).points, [(20.0, 12.0)]);
    }

    #[test]
    fn a_picture_has_its_lines_and_names() {
        let series = Series { name: "steady".to_owned(), points: vec![(0.0, 1.0), (1.0, 0.5)] };
        let axes = Axes { x: "noise", y: "won", y_most: Some(1.0) };
        let svg = draw(&[(axes, vec![series])]).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("polyline"), "{svg}");
        assert!(svg.contains("noise") && svg.contains("steady"));
    }
}
