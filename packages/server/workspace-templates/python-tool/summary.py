def summarise(numbers):
    """The smallest, the largest and the mean of some numbers."""
    if not numbers:
        return {"count": 0}
    return {"count": len(numbers), "smallest": min(numbers), "largest": max(numbers), "mean": sum(numbers) / len(numbers)}
