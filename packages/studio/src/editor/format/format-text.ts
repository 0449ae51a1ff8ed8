import { BrowserSession } from '../../runtimes/browser-session.ts'
import type { Formatter } from './formatter-of.ts'
import type { FormatAnswer, FormatRequest } from './prettier-worker.ts'
// oxlint-disable-next-line import/default -- the bundler makes it, from the query
import PrettierWorker from './prettier-worker.ts?worker'

const longest = 1_000_000
const mostMs = 20_000

/** A text as its formatter writes it. Throws what the formatter cannot read. */
export async function formatText(formatter: Formatter, text: string): Promise<string> {
  if (text.length > longest) throw new Error('it is larger than 1 MB')
  return formatter.name === 'ruff' ? formatPython(text) : formatByPrettier(formatter.parser, text)
}

let session: Promise<BrowserSession> | undefined

async function formatPython(text: string): Promise<string> {
  const last = await session?.catch(() => undefined)
  if (!last || last.isClosed) {
    session = import('../../runtimes/ruff/parts.ts').then(async ({ parts }) => BrowserSession.open(parts))
  }
  const opened = (await session) as BrowserSession
  const { outcome } = await opened.run(
    { language: 'python', code: text },
    { onOutput: () => {}, signal: AbortSignal.timeout(mostMs) },
  )
  if (typeof outcome.result === 'string') return outcome.result
  throw new Error(outcome.error?.message ?? 'ruff gave no answer')
}

let worker: Worker | undefined
let lastId = 0

async function formatByPrettier(parser: string, text: string): Promise<string> {
  worker ??= new PrettierWorker()
  const asked = worker
  const id = ++lastId
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const end = (why: string) => {
    // the next text begins anew
    asked.terminate()
    if (worker === asked) worker = undefined
    reject(new Error(why))
  }
  const timer = setTimeout(() => end('it took too long'), mostMs)
  const hear = ({ data }: MessageEvent<FormatAnswer>) => {
    if (data.id !== id) return
    if ('text' in data) resolve(data.text)
    else reject(new Error(data.message))
  }
  const fail = () => end('its formatter could not be loaded')
  asked.addEventListener('message', hear)
  asked.addEventListener('error', fail)
  asked.postMessage({ id, parser, text } satisfies FormatRequest)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    asked.removeEventListener('message', hear)
    asked.removeEventListener('error', fail)
  }
}
