"""What a magic refuses."""


class MagicError(Exception):
    """The magic does not exist here, or was used in a way it does not know."""
