"""Output of bash: the name of its script is the name of the cell."""

from coherex_bash.shell import CELL_NAME
from coherex_session.session_output import SessionOutput


class BashOutput(SessionOutput):
    def __init__(self, interrupts):
        super().__init__(interrupts)
        self._name = "Cell"

    def begin_cell(self, number, limit_bytes):
        self._name = f"Cell {number}"
        self.begin(limit_bytes)

    def _add(self, stream, text):
        if stream == "stderr" and CELL_NAME in text:
            text = text.replace(f"bash: {CELL_NAME}:", f"{self._name}:").replace(CELL_NAME, self._name)
        super()._add(stream, text)
