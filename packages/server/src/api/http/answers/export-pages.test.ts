import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Env } from '../requests/request-context.ts'
import { exportPages } from './export-pages.ts'

const pages = [[{ n: 1 }, { n: 2 }], [{ n: 3 }], []]

async function exported(format: 'csv' | 'json' | 'jsonl', mostRows?: number): Promise<string> {
  const app = new Hono<Env>().get('/', (context) =>
    exportPages(context, {
      ...{ name: 'numbers', format, csvHeader: 'n', toCsv: ({ n }: { n: number }) => String(n) },
      log: pino({ level: 'silent' }),
      async readPage({ cursor = '0' }) {
        const at = Number(cursor)
        return { items: pages[at] ?? [], nextCursor: at + 1 < pages.length ? String(at + 1) : null }
      },
      ...(mostRows !== undefined && { mostRows }),
    }),
  )
  return (await app.request('/')).text()
}

test('JSON is one array over all pages, and JSON Lines an object a line', async () => {
  expect(JSON.parse(await exported('json'))).toEqual(pages.flat())
  expect(JSON.parse(await exported('json', 1))).toEqual(pages[0])
  expect(await exported('jsonl')).toBe('{"n":1}\n{"n":2}\n{"n":3}\n')
  expect(await exported('csv')).toBe('n\r\n1\r\n2\r\n3\r\n')
})
