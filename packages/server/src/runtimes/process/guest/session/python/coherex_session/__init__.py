"""What makes a process of the sandbox a session: shared by its drivers."""
