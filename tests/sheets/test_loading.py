"""The doors of the sheets open without loading the PDF library."""

from __future__ import annotations

import subprocess
import sys


def test_importing_the_sheets_does_not_load_reportlab() -> None:
    program = (
        "import sys, skirmish.sheets.documents, skirmish.sheets.missing_signs; "
        "import skirmish.sheets.paper; print('reportlab' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
