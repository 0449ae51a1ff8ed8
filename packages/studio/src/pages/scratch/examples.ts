import type { Language } from '@coherex/contract'
import { noOptions, type TypedOptions } from '../../cell/options/typed-options.ts'
import { moreExamples } from './more-examples.ts'

export interface Example {
  name: string
  hint: string
  code: string
  options?: Partial<TypedOptions>
}

const fetchNote = 'Options → Network lists the addresses this may reach. Take one away and the request is refused.'

/** Code that shows something, for each language; the first is what a new scratch starts with. */
export const examples: Record<Language, readonly Example[]> = {
  javascript: [
    {
      name: 'Print and return',
      hint: 'console.log, and the last expression as the result',
      code: `const words = ['calm', 'dense', 'fast', 'clear']

for (const word of words) console.log(word.padEnd(8), '▇'.repeat(word.length))
console.warn('warnings and errors have a mark of their own')

// the last expression is the result
;({ count: words.length, longest: words.toSorted((a, b) => b.length - a.length)[0] })
`,
    },
    {
      name: 'Take input',
      hint: 'export default (env, input)',
      options: { input: '{ "n": 21 }' },
      code: `export default async (env, input) => {
  console.log('input is', input)
  return { doubled: input.n * 2 }
}
`,
    },
    {
      name: 'Fetch from an allowed address',
      hint: 'No network unless you list it',
      options: { allow: 'https://api.github.com/' },
      code: `// ${fetchNote}
export default async () => {
  const response = await fetch('https://api.github.com/repos/nodejs/node')
  const { full_name, stargazers_count } = await response.json()
  return { full_name, stargazers_count }
}
`,
    },
    {
      name: 'Use files and a shell',
      hint: 'env.FILES and env.BASH',
      code: `export default async (env) => {
  await env.FILES.write('numbers.txt', '3\\n1\\n2\\n')
  const { stdout } = await env.BASH.exec('sort -n numbers.txt | tee sorted.txt')
  console.log(stdout)
  return stdout.trim().split('\\n').map(Number)
}
`,
    },
  ],
  typescript: [
    {
      name: 'Group with a package',
      hint: 'Types, lodash-es and a table',
      code: `import { groupBy, sumBy } from 'lodash-es'

interface Sale {
  team: string
  amount: number
}

const sales: Sale[] = [
  { team: 'north', amount: 120 },
  { team: 'south', amount: 80 },
  { team: 'north', amount: 45.5 },
]

const totals = Object.entries(groupBy(sales, 'team')).map(([team, own]) => ({ team, total: sumBy(own, 'amount') }))
console.table(totals)
totals
`,
    },
    {
      name: 'Draw an SVG',
      hint: 'display.svg',
      code: `const bars = [4, 9, 6, 12, 7]
const svg = \`<svg xmlns="http://www.w3.org/2000/svg" width="260" height="130">
\${bars.map((height, index) => \`<rect x="\${index * 50 + 5}" y="\${130 - height * 10}" width="40" height="\${height * 10}" rx="4" fill="#5646d6"/>\`).join('')}
</svg>\`
display.svg(svg)
`,
    },
    {
      name: 'Check types first',
      hint: 'With “check types” the mistake is found before it runs',
      options: { typecheck: true },
      code: `function double(n: number): number {
  return n * 2
}

console.log(double('21'))
`,
    },
  ],
  python: [
    {
      name: 'Plot',
      hint: 'matplotlib, shown as an image',
      code: `import math
import matplotlib.pyplot as plt

xs = [n / 10 for n in range(0, 101)]
fig, ax = plt.subplots(figsize=(7, 3))
ax.plot(xs, [math.sin(x) for x in xs], label="sin")
ax.plot(xs, [math.cos(x) for x in xs], label="cos")
ax.legend()
plt.show()

print(len(xs), "points")
`,
    },
    {
      name: 'Data frame',
      hint: 'pandas: the last expression is shown as a table',
      code: `import pandas as pd

sales = pd.DataFrame(
    {
        "team": ["north", "south", "north", "east"],
        "amount": [120, 80, 45.5, 60],
    }
)
sales.groupby("team").agg(total=("amount", "sum"), count=("amount", "size")).sort_values("total", ascending=False)
`,
    },
    {
      name: 'Count slowly',
      hint: 'Output as it happens; stop it with Ctrl .',
      code: `import time

for n in range(1, 21):
    print(f"step {n} of 20", flush=True)
    time.sleep(0.5)
`,
    },
    {
      name: 'Request an allowed address',
      hint: 'No network unless you list it',
      options: { allow: 'https://api.github.com/' },
      code: `# ${fetchNote}
import json
import coherex

answer = coherex.FETCH.fetch("https://api.github.com/repos/python/cpython")
json.loads(answer["body"])["description"]
`,
    },
  ],
  bash: [
    {
      name: 'Loop and pipe',
      hint: 'Files you write can be downloaded',
      code: `for n in 1 2 3; do
  echo "line $n"
done | tee lines.txt

echo "this goes to stderr" >&2
wc -l lines.txt
`,
    },
    {
      name: 'Colours',
      hint: 'Terminal colours are kept',
      code: `for colour in 31 32 33 34 35 36; do
  printf '\\033[%sm colour %s \\033[0m\\n' "$colour" "$colour"
done
printf '\\033[1mbold\\033[0m and \\033[4munderlined\\033[0m\\n'
`,
    },
  ],
  node: [
    {
      name: 'A real Node.js',
      hint: 'All of Node, in a process of its own',
      code: `import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'

console.log('Node', process.version, 'on', process.platform)
console.log(cpus().length, 'cores,', Math.round(totalmem() / 2 ** 30), 'GB')

const hash = createHash('sha256').update('coherex').digest('hex')
await writeFile('hash.txt', hash)
console.log(hash)
`,
    },
  ],
  ...moreExamples,
}

/** Whether nothing would be lost if the text were replaced. */
export function isExample(language: Language, text: string): boolean {
  return text.trim() === '' || examples[language].some(({ code }) => code.trim() === text.trim())
}

export function optionsOf(example: Pick<Example, 'options'>): TypedOptions {
  return { ...noOptions, ...example.options }
}
