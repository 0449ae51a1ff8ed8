import type { Page } from '@coherex/contract'
import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import type { StreamingApi } from 'hono/utils/stream'
import type { Log } from '../../../base/index.ts'
import type { Env } from '../requests/request-context.ts'

const rowsAtOnce = 200

export interface PageRequest {
  limit: number
  cursor: string | undefined
}

interface Export<Item> {
  /** Of the file, without its ending. */
  name: string
  format: 'csv' | 'json' | 'jsonl'
  csvHeader: string
  toCsv(item: Item): string
  readPage(page: PageRequest): Promise<Page<Item>>
  /** The newest so many; all, unless said. */
  mostRows?: number
  log: Log
}

const mediaTypes = { csv: 'text/csv; charset=utf-8', json: 'application/json', jsonl: 'application/x-ndjson' }

/** A list as a file: CSV, one JSON array, or JSON Lines. Page by page, each its own short transaction: the list may be long and the reader slow. */
export function exportPages<Item>(context: Context<Env>, options: Export<Item>): Response {
  const { name, format, csvHeader, toCsv, readPage, mostRows = Infinity, log } = options
  context.header('content-type', mediaTypes[format])
  context.header('content-disposition', `attachment; filename="${name}.${format}"`)
  const write = async (output: StreamingApi) => {
    if (format === 'csv') await output.write(`${csvHeader}\r\n`)
    let cursor: string | undefined
    let written = 0
    do {
      const page = await readPage({ limit: rowsAtOnce, cursor })
      const lines = page.items.map((item, index) => {
        if (format === 'csv') return `${toCsv(item)}\r\n`
        const before = format === 'jsonl' ? '' : written + index === 0 ? '[' : ',\n'
        return `${before}${JSON.stringify(item)}${format === 'jsonl' ? '\n' : ''}`
      })
      await output.write(lines.join(''))
      written += page.items.length
      cursor = page.nextCursor ?? undefined
    } while (cursor && written < mostRows && !output.aborted)
    if (format === 'json') await output.write(written === 0 ? '[]\n' : ']\n')
  }
  return stream(context, write, async (error, output) => {
    log.error({ error, name, requestId: context.get('requestId') }, 'an export was cut off')
    output.abort()
  })
}
