"""The plotting backend of a sandbox: draws with Agg, and show() displays."""

from matplotlib.backends.backend_agg import FigureCanvasAgg, _BackendAgg
from matplotlib.backend_bases import FigureManagerBase

from coherex import _display


class FigureManagerCoherex(FigureManagerBase):
    def show(self):
        _display.display(self.canvas.figure)

    @classmethod
    def pyplot_show(cls, **_):
        _display.show_open_figures()


class FigureCanvasCoherex(FigureCanvasAgg):
    manager_class = FigureManagerCoherex


@_BackendAgg.export
class _BackendCoherex(_BackendAgg):
    FigureCanvas = FigureCanvasCoherex
    FigureManager = FigureManagerCoherex

    @staticmethod
    def show(*_, **__):
        _display.show_open_figures()
