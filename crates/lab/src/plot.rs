//! Pictures of results, as SVG. Each says what it is of and how many it counts, and shows
//! intervals.

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use tempo::Waited;

use crate::tally::{Share, Tally};

/// A point with its interval from bottom to top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Along the bottom.
    pub x: f64,
    /// Up the side.
    pub y: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A line in a picture: its name and its points.
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<Point>,
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

/// A picture of lines.
pub struct Panel {
    /// What it is of.
    pub title: String,
    /// Its axes.
    pub axes: Axes,
    /// Its lines.
    pub series: Vec<Series>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const WIDTH: u32 = 900;
const FONT: &str = "sans-serif";

/// Draws panels under each other.
pub fn draw(panels: &[Panel]) -> Result<String, String> {
    let number = panels.len().max(1);
    svg(320 * number as u32, |root| {
        let areas = root.split_evenly((number, 1));
        areas.iter().zip(panels).try_for_each(|(area, drawn)| panel(area, drawn))
    })
}

/// A point that is a share.
pub fn share_at(x: f64, Share { share, low, high }: Share) -> Point {
    Point { x, y: share, low, high }
}

/// The share of games that reached each level.
pub fn levels(tally: &Tally) -> Series {
    let begun = tally.begun();
    let points = begun.iter().enumerate().filter(|(_, games)| **games > 0);
    let at = |(level, games): (usize, &u64)| {
        share_at((level + 1) as f64, Share::of(*games, tally.games))
    };
    Series { name: "reached".to_owned(), points: points.map(at).collect() }
}

/// The gaps of a bin of waits are no further apart than by this factor.
const BIN: f64 = 1.25;
/// How many plays a bin needs to be drawn.
const PLAYS_LEAST: usize = 12;

/// The middle of the waits that ended in a play, over how far the card was, with the 95 % interval
/// of that middle.
pub fn waits(name: &str, waits: &[Waited]) -> Series {
    let mut plays = waits.iter().filter(|wait| wait.played()).collect::<Vec<_>>();
    plays.sort_by(|one, other| one.distance().total_cmp(&other.distance()));
    let bins = plays.chunk_by(|one, other| bin(one).total_cmp(&bin(other)).is_eq());
    let bins = bins.filter(|plays| plays.len() >= PLAYS_LEAST);
    let points = bins.map(|plays| {
        let x = plays.iter().map(|wait| wait.distance()).sum::<f64>() / plays.len() as f64;
        let mut times_s = plays.iter().map(|wait| wait.time_s()).collect::<Vec<_>>();
        times_s.sort_by(f64::total_cmp);
        let (middle, last) = (times_s.len() / 2, times_s.len() - 1);
        // How many of the sorted waits either side the middle of all waits may be.
        #[expect(clippy::cast_sign_loss, reason = "a root is not negative")]
        let off = (0.98 * (times_s.len() as f64).sqrt()).ceil() as usize;
        let (low, high) = (middle.saturating_sub(off), (middle + off).min(last));
        Point { x, y: times_s[middle], low: times_s[low], high: times_s[high] }
    });
    Series { name: format!("{name}, n = {}", plays.len()), points: points.collect() }
}

fn bin(wait: &Waited) -> f64 {
    (wait.distance().max(1.0).ln() / BIN.ln()).floor()
}

/// Shares with their intervals, a named row each.
pub fn rows(title: &str, rows: &[(String, Share)]) -> Result<String, String> {
    const ROW: i32 = 22;
    let (left, top, right) = (430, 64, WIDTH.cast_signed() - 24);
    let bottom = top + ROW * pixels(rows.len());
    svg(bottom.unsigned_abs() + 32, |root| {
        write(root, title, (12, 14), (15, HPos::Left))?;
        let at = |share: f64| left + (share * f64::from(right - left)).round() as i32;
        for tenth in (0..=10).step_by(2) {
            let x = at(f64::from(tenth) / 10.0);
            line(root, [(x, top), (x, bottom)], BLACK.mix(0.15))?;
            write(root, &format!("{} %", 10 * tenth), (x, top - 18), (12, HPos::Center))?;
        }
        for (number, (name, share)) in (0..).zip(rows) {
            let y = top + ROW * number + ROW / 2;
            write(root, name, (left - 12, y - 7), (12, HPos::Right))?;
            line(root, [(at(share.low), y), (at(share.high), y)], BLUE.mix(0.6))?;
            let dot = Circle::new((at(share.share), y), 3, BLUE.filled());
            root.draw(&dot).map_err(|error| error.to_string())?;
        }
        Ok(())
    })
}

/// A heat map of shares: the names of its rows down the side and of its columns along the top.
/// `axes` says what columns and rows are.
pub fn matrix(
    title: &str,
    [across, down]: [&str; 2],
    names: &[String],
    lines: &[Vec<Share>],
) -> Result<String, String> {
    let (left, top, width, height) = (150, 92, 110, 64);
    let bottom = top + height * pixels(lines.len());
    svg(bottom.unsigned_abs() + 24, |root| {
        write(root, title, (12, 14), (15, HPos::Left))?;
        write(root, across, (left, 42), (13, HPos::Left))?;
        write(root, down, (12, top - 24), (13, HPos::Left))?;
        for (number, name) in (0..).zip(names) {
            let x = left + width * number + width / 2;
            write(root, name, (x, top - 20), (13, HPos::Center))?;
        }
        for (row, (name, cells)) in (0..).zip(names.iter().zip(lines)) {
            let y = top + height * row;
            write(root, name, (left - 12, y + height / 2 - 8), (13, HPos::Right))?;
            for (column, share) in (0..).zip(cells) {
                let x = left + width * column;
                let cell = Rectangle::new([(x, y), (x + width - 2, y + height - 2)], heat(share));
                root.draw(&cell).map_err(|error| error.to_string())?;
                let (x, y) = (x + width / 2, y + height / 2);
                let percent = |share: f64| format!("{:.1}", 100.0 * share);
                write(root, &percent(share.share), (x, y - 17), (15, HPos::Center))?;
                let interval = format!("{} to {}", percent(share.low), percent(share.high));
                write(root, &interval, (x, y + 3), (11, HPos::Center))?;
            }
        }
        Ok(())
    })
}

/// A number of rows, to be counted in pixels.
fn pixels(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// From white for none to blue for all, light enough for black text.
fn heat(share: &Share) -> ShapeStyle {
    let faded = |full: f64| (255.0 - (255.0 - full) * share.share.clamp(0.0, 1.0)).round();
    #[expect(clippy::cast_sign_loss, reason = "colours are between 0 and 255")]
    let [red, green, blue] = [90.0, 165.0, 230.0].map(|full| faded(full) as u8);
    RGBColor(red, green, blue).filled()
}

/// The text of a picture of that height.
fn svg(height: u32, drawn: impl FnOnce(&Area) -> Result<(), String>) -> Result<String, String> {
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
        root.fill(&WHITE).map_err(|error| error.to_string())?;
        drawn(&root)?;
        root.present().map_err(|error| error.to_string())?;
    }
    Ok(text)
}

fn write(area: &Area, text: &str, at: (i32, i32), (size, side): (u32, HPos)) -> Result<(), String> {
    let style = (FONT, size).into_text_style(area).pos(Pos::new(side, VPos::Top));
    area.draw_text(text, &style, at).map_err(|error| error.to_string())
}

fn line(area: &Area, ends: [(i32, i32); 2], colour: RGBAColor) -> Result<(), String> {
    let path = PathElement::new(ends, colour.stroke_width(2));
    area.draw(&path).map_err(|error| error.to_string())
}

fn panel(area: &Area, Panel { title, axes, series }: &Panel) -> Result<(), String> {
    let points = || series.iter().flat_map(|series| &series.points);
    let most = |value: fn(&Point) -> f64| points().map(value).fold(1e-9, f64::max);
    let x_most = most(|point| point.x);
    let y_most = axes.y_most.unwrap_or(most(|point| point.high));
    let mut chart = ChartBuilder::on(area)
        .caption(title, (FONT, 15))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..x_most * 1.02, 0.0..y_most * 1.05)
        .map_err(|error| error.to_string())?;
    mesh(&mut chart, axes)?;
    for (number, Series { name, points }) in series.iter().enumerate() {
        let colour = Palette99::pick(number).to_rgba();
        let intervals = points.iter().map(|Point { x, low, high, .. }| {
            PathElement::new([(*x, *low), (*x, *high)], colour.mix(0.5).stroke_width(2))
        });
        chart.draw_series(intervals).map_err(|error| error.to_string())?;
        let middles = points.iter().map(|point| (point.x, point.y));
        let middles = LineSeries::new(middles, colour.stroke_width(2)).point_size(2);
        let drawn = chart.draw_series(middles).map_err(|error| error.to_string())?;
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
        let Series { name, points } = waits("a player", &all);
        assert_eq!(name, "a player, n = 43");
        assert_eq!(points, [Point { x: 20.0, y: 12.0, low: 11.0, high: 13.0 }]);
    }

    #[test]
    fn a_picture_has_its_title_lines_names_and_intervals() {
        let points = vec![share_at(0.0, Share::of(9, 10)), share_at(1.0, Share::of(5, 10))];
        let series = vec![Series { name: "steady".to_owned(), points }];
        let axes = Axes { x: "noise", y: "won", y_most: Some(1.0) };
        let svg = draw(&[Panel { title: "mind, n = 10".to_owned(), axes, series }]).unwrap();
        assert!(svg.starts_with("<svg") && svg.matches("polyline").count() >= 3, "{svg}");
        for part in ["noise", "steady", "mind, n = 10"] {
            assert!(svg.contains(part), "{part}: {svg}");
        }
    }

    #[test]
    fn a_heat_map_has_the_names_of_rows_and_columns() {
        let names = ["steady", "human"].map(str::to_owned);
        let lines = [[1, 9], [5, 2]].map(|won| won.map(|won| Share::of(won, 10)).to_vec());
        let svg = matrix("mind, n = 10", ["with", "who"], &names, &lines).unwrap();
        assert_eq!((svg.matches("steady").count(), svg.matches("human").count()), (2, 2), "{svg}");
        assert!(svg.contains("90.0") && svg.contains("mind, n = 10"), "{svg}");
    }

    #[test]
    fn rows_are_drawn_with_their_names_and_intervals() {
        let one = ("human,kindred, base".to_owned(), Share::of(7, 10));
        let svg = rows("people", &[one]).unwrap();
        assert!(svg.contains("human,kindred, base") && svg.contains("<circle"), "{svg}");
    }
}
