import { loadPyodide, type PyodideAPI } from 'pyodide'
import { boundWasm } from '../bound-wasm.ts'
import type { Output } from '../printer.ts'
import type { Answer, FoundPackages, Json, Outcome } from '../runtime-messages.ts'
import { serveRuntime, type Page } from '../serve-runtime.ts'
import { watchMark, type Mark } from '../watch-mark.ts'
import prepare from './prepare.py?raw'

let python: PyodideAPI
let page: Page
let mark: Mark
let output: Output = { print: () => undefined, display: () => undefined }
/** Functions of `prepare.py`. */
let own: { get(name: string): unknown; set(name: string, value: unknown): void }
/** Why modules that were asked for are not there. */
const reasons = new Map<string, string>()

/** What the frame has: nothing is fetched from anywhere. */
function answerFrom(assets: Record<string, ArrayBuffer>) {
  return async (address: unknown) => {
    const name = String(address).split('/').at(-1) ?? ''
    const body = assets[name]
    const type = name.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream'
    if (!body) throw new TypeError('The browser’s sandbox has no network: run the block on the server.')
    return new Response(body, { headers: { 'content-type': type } })
  }
}

let takenBytes = () => 0

serveRuntime({
  memory: () => takenBytes(),

  async load(assets, given) {
    page = given
    mark = watchMark()
    takenBytes = boundWasm(1024 ** 3)
    ;(globalThis as Record<string, unknown>)['fetch'] = answerFrom(assets)
    const text = (name: string) => new TextDecoder().decode(assets[name])
    const module = URL.createObjectURL(new Blob([text('pyodide.asm.mjs')], { type: 'text/javascript' }))
    const { default: createPyodideModule } = (await import(/* @vite-ignore */ module)) as { default: unknown }
    python = await loadPyodide({
      indexURL: 'https://nowhere.invalid/',
      packageBaseUrl: 'https://nowhere.invalid/',
      lockFileContents: text('pyodide-lock.json'),
      createPyodideModule,
    } as Parameters<typeof loadPyodide>[0])
    python.setStdout({ batched: (line) => output.print('stdout', `${line}\n`) })
    python.setStderr({ batched: (line) => output.print('stderr', `${line}\n`) })
    python.setInterruptBuffer(mark.signal as never)
    own = (python.globals.get('dict') as () => typeof own)()
    own.set('emit', (data: string) => output.display(JSON.parse(data) as Record<string, unknown>))
    // null would be an object of Python's; this is None
    own.set('ask_page', async (prompt: string) => (await page.ask(prompt)) ?? undefined)
    python.runPython(prepare, { globals: own as never })
  },

  async run({ code, mark: address }, given): Promise<Outcome> {
    output = given
    await addPackages(code)
    mark.follow(address)
    const ended = JSON.parse(await (own.get('run') as (code: string) => Promise<string>)(code)) as Ended
    if (!ended.error)
      return {
        status: 'succeeded',
        ...(ended.repr !== undefined && { resultText: ended.repr, result: ended.value ?? ended.repr }),
      }
    const { error, missing, line } = ended
    const isSyntax = error.startsWith('SyntaxError') || error.startsWith('IndentationError')
    return {
      status: 'failed',
      error: {
        kind: isSyntax ? 'syntax' : ended.is_memory ? 'memory' : 'runtime',
        message: ended.is_memory ? `${error} Python in the browser may take 1 GB; the server can have more.` : error,
        ...(line && { line }),
        ...(ended.stack !== undefined && { stack: ended.stack }),
      },
      ...(missing !== undefined && { needsServer: whyMissing(missing) }),
      ...(ended.is_memory && { needsServer: 'It takes more memory than Python has in the browser.' }),
    }
  },

  look(question): Answer {
    const look = own.get('look') as (name: string | undefined, offset: number, limit: number) => string
    if (question.about === 'all') return { variables: JSON.parse(look(undefined, 0, 0)) as never }
    const found: unknown = JSON.parse(look(question.name, question.offset, question.limit))
    return { variable: (found ?? undefined) as never }
  },
})

/** Asks the page for packages of modules that the code imports, once for each. */
async function addPackages(code: string): Promise<void> {
  const wanted = JSON.parse((own.get('wanted') as (code: string) => string)(code)) as string[]
  const asked = wanted.filter((name) => !reasons.has(name))
  if (asked.length === 0) return
  const { files, missing }: FoundPackages = await page.findPackages(asked)
  for (const { bytes } of files) python.unpackArchive(bytes, 'wheel')
  for (const { module, why } of missing) reasons.set(module, why)
  if (files.length > 0) python.runPython('import importlib; importlib.invalidate_caches()', { globals: own as never })
}

function whyMissing(module: string): string {
  return reasons.get(module.split('.')[0] ?? '') ?? `The browser’s Python has no package "${module}".`
}

interface Ended {
  repr?: string
  value?: Json
  error?: string
  missing?: string
  line?: number
  stack?: string
  is_memory?: boolean
}
