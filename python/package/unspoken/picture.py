"""Small pictures as SVG: a matrix of shares and lines over time. No library is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

_FONT = 'font-family="sans-serif" font-size="13"'
_COLOURS = ("#1f6feb", "#d1242f", "#1a7f37", "#8250df")


def matrix_svg(path: str | Path, names: Sequence[str], shares: Sequence[Sequence[float]]) -> None:
    """A matrix of shares from 0 to 1: rows and columns have the same names."""
    cell, left, top = 74, 130, 96
    size = cell * len(names)
    parts = [_open(left + size + 16, top + size + 16)]
    for place, name in enumerate(names):
        middle = place * cell + cell / 2
        parts.append(_text(left - 8, top + middle + 4, name, "end"))
        x, y = left + middle, top - 10
        parts.append(_text(x, y, name, "start", f"rotate(-35 {x} {y})"))
    for row, line in enumerate(shares):
        for column, share in enumerate(line):
            x, y = left + column * cell, top + row * cell
            light = 96 - 56 * share
            parts.append(
                f'<rect x="{x}" y="{y}" width="{cell}" height="{cell}" '
                f'fill="hsl(212 80% {light:.0f}%)" stroke="white"/>'
            )
            colour = "white" if share > 0.55 else "black"
            text = f"{100 * share:.1f} %"
            parts.append(_text(x + cell / 2, y + cell / 2 + 4, text, "middle", colour=colour))
    _write(path, parts)


def lines_svg(
    path: str | Path,
    lines: Mapping[str, Sequence[tuple[float, float]]],
    x_name: str,
    y_name: str,
) -> None:
    """Lines of points, each with a name."""
    width, height, left, bottom = 640, 360, 64, 48
    points = [point for line in lines.values() for point in line] or [(0.0, 0.0)]
    x_most = max(x for x, _ in points) or 1.0
    y_least, y_most = min(0.0, *(y for _, y in points)), max(1e-9, *(y for _, y in points))

    def place(x: float, y: float) -> tuple[float, float]:
        across = left + (width - left - 16) * x / x_most
        down = height - bottom - (height - bottom - 24) * (y - y_least) / (y_most - y_least)
        return across, down

    parts = [_open(width, height)]
    for step in range(5):
        y = y_least + (y_most - y_least) * step / 4
        _, down = place(0.0, y)
        parts.append(f'<path d="M{left} {down:.1f}H{width - 16}" stroke="#ddd"/>')
        parts.append(_text(left - 8, down + 4, f"{y:.2g}", "end"))
        x = x_most * step / 4
        parts.append(_text(place(x, 0)[0], height - bottom + 20, f"{x:.3g}", "middle"))
    for number, (name, line) in enumerate(lines.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        path_text = "L".join("{:.1f} {:.1f}".format(*place(x, y)) for x, y in line)
        parts.append(f'<path d="M{path_text}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(_text(left + 12, 20 + 18 * number, name, "start", colour=colour))
    parts.append(_text((left + width) / 2, height - 8, x_name, "middle"))
    parts.append(_text(16, height / 2, y_name, "middle", f"rotate(-90 16 {height / 2})"))
    _write(path, parts)


def _open(width: float, height: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><rect width="100%" height="100%" fill="white"/>'
    )


def _text(
    x: float, y: float, text: str, anchor: str, transform: str = "", colour: str = "black"
) -> str:
    turn = f' transform="{transform}"' if transform else ""
    safe = text.replace("&", "&amp;").replace("<", "&lt;")
    place = f'x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}"'
    return f"<text {place} {_FONT}{turn}>{safe}</text>"


def _write(path: str | Path, parts: Sequence[str]) -> None:
    Path(path).write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")
