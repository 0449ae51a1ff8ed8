SELECT day, celsius, round(celsius * 9 / 5 + 32, 1) AS fahrenheit
FROM read_csv('data/temperatures.csv')
ORDER BY celsius DESC;
