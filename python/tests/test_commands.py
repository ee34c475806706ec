"""The commands of the package: baselines and the benchmark."""

import subprocess
import sys


def run(*arguments):
    done = subprocess.run(
        [sys.executable, "-m", *arguments], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_baselines_print_error_bars_and_draw_a_matrix(tmp_path):
    picture = tmp_path / "matrix.svg"
    text = run("unspoken.baselines", "--games", "40", "--matrix", str(picture))
    for name in ("fixed pace", "told everything", "kindred"):
        line = next(line for line in text.splitlines() if line.startswith(name))
        assert "%" in line and " to " in line
    assert picture.read_text().count("<rect") == 37


def test_the_benchmark_measures(tmp_path):
    text = run("unspoken.bench", "--seconds", "0.1", "--repeat", "1")
    assert text.count("a second") >= 4
    assert "numpy" in text.splitlines()[0]
