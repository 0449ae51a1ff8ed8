import coherex
from summary import summarise

given = coherex.input or {"numbers": [3, 1, 2]}

summarise(given["numbers"])
