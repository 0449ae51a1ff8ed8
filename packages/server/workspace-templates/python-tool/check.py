from summary import summarise

assert summarise([]) == {"count": 0}
assert summarise([3, 1, 2])["mean"] == 2
print("The tool works")
