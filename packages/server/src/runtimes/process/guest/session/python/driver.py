"""A Python session: runs cell after cell in one namespace, as a notebook does."""

import os
import sys

SESSION = os.path.dirname(os.path.abspath(__file__))
GUEST = os.path.join(os.path.dirname(os.path.dirname(SESSION)), "python")
sys.path[:0] = [SESSION, GUEST]

from coherex_session import session

# a module of the guest's own may have any of these names; whoever of us needs one holds it already
for name in ("channel", "output", "result", "wire"):
    sys.modules.pop(name, None)
sys.path[:] = [*(path for path in sys.path if path not in (SESSION, GUEST)), GUEST]

if __name__ == "__main__":
    session.main()
