# %% Read the data
import csv
from collections import defaultdict

with open("data/sales.csv") as file:
    rows = list(csv.DictReader(file))
print(f"{len(rows)} rows")

# %% Sum by region
totals = defaultdict(int)
for row in rows:
    totals[row["region"]] += int(row["amount"])
for region, total in sorted(totals.items()):
    print(f"{region:6} {total:6}")

# %% The result
dict(totals)
