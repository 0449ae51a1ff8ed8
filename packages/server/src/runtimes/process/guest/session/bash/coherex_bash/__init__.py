"""The Bash session's own parts."""
