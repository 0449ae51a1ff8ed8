import type { Language } from '@coherex/contract'
import type { Example } from './examples.ts'

type More = Exclude<Language, 'javascript' | 'typescript' | 'python' | 'bash' | 'node'>

/** Examples of the languages that machines may have. */
export const moreExamples: Record<More, readonly Example[]> = {
  sql: [
    {
      name: 'Query and keep',
      hint: 'DuckDB: every result as a table, files in and out',
      code: `CREATE TABLE sales AS
SELECT * FROM (VALUES ('north', date '2026-01-03', 120.5), ('south', date '2026-01-04', 80), ('north', date '2026-02-01', 45)) AS t(team, day, amount);

SELECT team, count(*) AS sales, sum(amount) AS total
FROM sales GROUP BY team ORDER BY total DESC;

-- files of the run are tables too: CSV, Parquet and JSON by their path
COPY sales TO 'sales.parquet';
SELECT month(day) AS month, sum(amount) AS total FROM 'sales.parquet' GROUP BY month ORDER BY month;
`,
    },
    {
      name: 'Take input',
      hint: "getvariable('input')",
      options: { input: '{ "least": 3 }' },
      code: `SELECT range AS n, n * n AS square
FROM range(6)
WHERE n >= (getvariable('input')->>'least')::int;
`,
    },
  ],
  r: [
    {
      name: 'Model and plot',
      hint: 'Plots are shown, the last value is the result',
      code: `model <- lm(mpg ~ wt, data = mtcars)
plot(mtcars$wt, mtcars$mpg, pch = 19, col = "#5646d6", xlab = "Weight", ylab = "Miles per gallon")
abline(model, lwd = 2)

summary(model)$r.squared
head(mtcars, 5)
`,
    },
  ],
  julia: [
    {
      name: 'Sum of a series',
      hint: 'Runs where the machine has Julia',
      code: `basel(n) = sum(1 / k^2 for k in 1:n)
for n in (10, 1_000, 100_000)
    println(rpad(n, 8), basel(n))
end
println("pi^2/6  ", pi^2 / 6)
`,
    },
  ],
  ruby: [
    {
      name: 'Count words',
      hint: 'A result by $COHEREX_RESULT',
      code: `require "json"

counts = "the calm sea and the calm sky".split.tally
counts.sort_by { |word, count| [-count, word] }.each { |word, count| puts "#{word.ljust(6)} #{"▇" * count}" }

# what is written there as JSON is the result
File.write(ENV["COHEREX_RESULT"], JSON.generate(counts))
`,
    },
  ],
  go: [
    {
      name: 'Goroutines',
      hint: 'Compiled, then run',
      code: `package main

import (
	"fmt"
	"sync"
)

func main() {
	squares := make([]int, 5)
	var group sync.WaitGroup
	for i := range squares {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			squares[i] = i * i
		}(i)
	}
	group.Wait()
	fmt.Println(squares)
}
`,
    },
  ],
  c: [
    {
      name: 'Primes',
      hint: 'Native; with the runtime WebAssembly, a module',
      code: `#include <stdio.h>

int main(void) {
  for (int n = 2, found = 0; found < 10; n++) {
    int prime = 1;
    for (int d = 2; d * d <= n; d++) prime &= n % d != 0;
    if (prime) printf("%d%s", n, ++found < 10 ? ", " : "\\n");
  }
}
`,
    },
  ],
  cpp: [
    {
      name: 'Sort',
      hint: 'C++20',
      code: `#include <algorithm>
#include <iostream>
#include <vector>

int main() {
  std::vector<int> numbers{5, 3, 9, 1};
  std::ranges::sort(numbers);
  for (int n : numbers) std::cout << n << ' ';
  std::cout << '\\n';
}
`,
    },
  ],
  rust: [
    {
      name: 'Iterators',
      hint: 'Runs where the machine has rustc',
      code: `fn main() {
    let total: u64 = (1..=10u64).filter(|n| n % 2 == 0).map(|n| n * n).sum();
    println!("sum of even squares: {total}");
}
`,
    },
  ],
  wasm: [
    {
      name: 'Hello',
      hint: 'A WASI module as base64',
      code: `AGFzbQEAAAABDAJgBH9/f38Bf2AAAAIjARZ3YXNpX3NuYXBzaG90X3ByZXZpZXcxCGZkX3dyaXRl
AAADAgEBBQMBAAEGBwF/AUGgEAsHEwIGbWVtb3J5AgAGX3N0YXJ0AAEKRQFDAQF/I4CAgIAAQRBr
IgAkgICAgAAgAEEAKQOYiICAADcDCEEBIABBCGpBASAAQQRqEICAgIAAGiAAQRBqJICAgIAACwsn
AQBBgAgLIEhlbGxvIGZyb20gV2ViQXNzZW1ibHkKAAAEAAAXAAAA
`,
    },
  ],
}
