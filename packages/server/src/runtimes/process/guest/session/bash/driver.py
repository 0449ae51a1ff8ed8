"""A Bash session: one bash that lives on, fed cell by cell as if by somebody at its prompt."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SESSION = os.path.dirname(HERE)
sys.path[:0] = [HERE, os.path.join(SESSION, "python"), os.path.join(os.path.dirname(SESSION), "python")]

from coherex_bash import session

if __name__ == "__main__":
    session.main()
