import csv
import statistics

with open("data/temperatures.csv") as file:
    days = {row["day"]: float(row["celsius"]) for row in csv.DictReader(file)}

for day, celsius in days.items():
    print(f"{day:10}{'#' * round(celsius)} {celsius}")

{"mean": statistics.mean(days.values()), "warmest": max(days, key=days.get)}
