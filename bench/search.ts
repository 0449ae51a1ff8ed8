// A search of everything over HTTP, in a store of many files and messages, beside the same words asked of PostgreSQL alone.
// Run: node bench/search.ts
import { openSeededStore } from '../packages/server/tests/harness/database/seeded-store.ts'
import { makeDataDirectory, startBenchServer } from './bench-server.ts'
import { median, type Row } from './measure.ts'

const rounds = 100
const goalMs = 100
const words = ['quarter', 'reg', 'walrus', 'zebra fish', 'rep', 'nowhere', 'file_77']

export async function benchSearch(): Promise<Row[]> {
  const directory = await makeDataDirectory()
  const server = await startBenchServer(directory.path)
  const client = await openSeededStore(directory.path, 10_000)
  try {
    const times = { ours: [] as number[], bare: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      const q = words[round % words.length] ?? ''
      const began = performance.now()
      const response = await fetch(`${server.url}/api/v1/search?q=${encodeURIComponent(q)}`, {
        headers: { authorization: `Bearer ${server.key}` },
      })
      const { items } = (await response.json()) as { items: unknown[] }
      times.ours.push(performance.now() - began)
      if (items.length === 0 && q !== 'nowhere') throw new Error(`A search found nothing: ${q}`)
      const asked = performance.now()
      await client.query('SELECT id FROM coherex.message WHERE lexemes @@ $1::tsquery ORDER BY id DESC LIMIT 20', [
        q.replace(/\W.*/, ':*'),
      ])
      times.bare.push(performance.now() - asked)
    }
    const [ours, bare] = [p95(times.ours), median(times.bare)]
    return [
      {
        ...{ what: 'a search in 10,000 files and 10,000 messages, p95', value: ours, unit: 'ms' },
        ...{ goal: `≤ ${goalMs}`, bare, ratio: ours / bare, reached: ours <= goalMs },
      },
    ]
  } finally {
    await client.end()
    await server.stop()
    await directory.remove()
  }
}

function p95(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0
}

if (import.meta.main) console.table(await benchSearch())
