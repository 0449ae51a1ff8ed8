"""Links to the packages of the sandbox, where its programs look for them."""

import os

PLACE = "/tmp/.coherex"


def use(targets):
    """Points each language's link to its set; a language without one has none."""
    os.makedirs(PLACE, exist_ok=True)
    for language, target in targets.items():
        link = f"{PLACE}/{language}"
        beside = f"{link}.next"
        for left in (beside, *(() if target else (link,))):
            try:
                os.unlink(left)
            except FileNotFoundError:
                pass
        if target:
            os.symlink(target, beside)
            # whoever looks sees one or the other
            os.replace(beside, link)
