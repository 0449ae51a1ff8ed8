import pandas as pd

sales = pd.read_csv("data/sales.csv")
table = sales.pivot_table(index="month", columns="region", values="amount", aggfunc="sum")
table.plot(kind="bar", title="Sales by month")
table
