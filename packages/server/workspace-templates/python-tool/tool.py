import coherex
from summary import summarise


def main(numbers: list[float] = [3, 1, 2]) -> dict:
    """The smallest, the largest and the mean of some numbers."""
    return summarise(numbers)


# run as a file, it answers its input too
main(**(coherex.input or {})) if __name__ == "__main__" else None
