"""A Python session: runs cell after cell in one namespace, as a notebook does."""

import os
import sys

SESSION = os.path.dirname(os.path.abspath(__file__))
GUEST = os.path.join(os.path.dirname(os.path.dirname(SESSION)), "python")
sys.path[:0] = [SESSION, GUEST]

import own_modules
from coherex_session import session

own_modules.hide(own_modules.names())
sys.path.remove(SESSION)

if __name__ == "__main__":
    session.main()
