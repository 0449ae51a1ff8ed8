"""Uses what programs use of the data stack, so that its lazy parts are loaded. Runs in the template, on data of its own."""

import io

import numpy
import pandas
from matplotlib import font_manager, pyplot

# by then the interpreter has specialized the functions, which each guest would else do again in a copy of its own
ROUNDS = 12


def use_frames():
    frame = pandas.DataFrame({"group": ["a", "b", "a"], "value": [1.0, 2.0, 3.0], "day": pandas.date_range("2026-01-01", periods=3)})
    frame.groupby("group")["value"].sum().sort_values().to_dict()
    frame.merge(frame, on="group").describe()
    frame.to_html()
    repr(frame)
    pandas.read_csv(io.StringIO(frame.to_csv(index=False)), parse_dates=["day"]).pivot_table(index="group", values="value")
    numpy.linalg.solve(numpy.eye(2), numpy.ones(2))


def draw():
    figure, axes = pyplot.subplots()
    axes.plot([1, 2], label="x")
    axes.legend()
    axes.set_title("x")
    figure.savefig(io.BytesIO(), format="png", bbox_inches="tight")
    pyplot.close("all")
    # a loaded font holds an open file, whose position all guests would share
    font_manager._get_font.cache_clear()


for _ in range(ROUNDS):
    use_frames()
draw()
