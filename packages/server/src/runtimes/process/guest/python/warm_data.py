"""Uses what programs use of the data stack, so that its lazy parts are loaded. Runs in the zygote, on data of its own."""

import io

import matplotlib
import numpy
import pandas
from matplotlib import font_manager, pyplot

import display

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


def use_records():
    """Rows of an input, as they come in JSON."""
    frame = pandas.DataFrame([{"group": "a", "value": 1, "day": "2026-01-01"}, {"group": "b", "value": None, "day": "2026-01-02"}])
    frame["day"] = pandas.to_datetime(frame["day"])
    frame = frame.fillna({"value": 0}).sort_values("value").reset_index(drop=True)
    frame.groupby("group")["value"].agg(["sum", "mean"]).to_dict()
    frame[frame["value"] > 0].assign(twice=lambda known: known["value"] * 2).to_dict(orient="records")
    frame["group"].value_counts().to_dict()
    frame.iloc[-1].to_dict()
    pandas.concat([frame, frame]).drop_duplicates().to_json(orient="records")


def draw():
    figure, axes = pyplot.subplots()
    axes.plot([1, 2], label="x")
    axes.legend()
    axes.set_title("x")
    figure.savefig(io.BytesIO(), format="png", bbox_inches="tight")
    pyplot.close("all")
    # a loaded font holds an open file, whose position all guests would share
    font_manager._get_font.cache_clear()


matplotlib.use(display.BACKEND)
draw()
for use in (use_frames, use_records):
    for _ in range(ROUNDS):
        use()
