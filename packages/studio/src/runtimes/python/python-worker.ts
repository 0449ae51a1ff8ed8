import { loadPyodide, type PyodideAPI } from 'pyodide'
import type { Json, Outcome } from '../runtime-messages.ts'
import { serveRuntime, type Print } from '../serve-runtime.ts'

let python: PyodideAPI
let print: Print = () => undefined

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

serveRuntime({
  async load(assets) {
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
    python.setStdout({ batched: (line) => print('stdout', `${line}\n`) })
    python.setStderr({ batched: (line) => print('stderr', `${line}\n`) })
    python.runPython(prepare)
  },

  async run({ code }, printer): Promise<Outcome> {
    print = printer
    const execute = python.globals.get('__coherex_run') as (code: string) => Promise<string>
    const ended = JSON.parse(await execute(code)) as Ended
    if (!ended.error)
      return {
        status: 'succeeded',
        ...(ended.repr !== undefined && { resultText: ended.repr, result: ended.value ?? ended.repr }),
      }
    const { error, missing, line } = ended
    const needsServer = missing === undefined ? undefined : `The browser’s Python has no package "${missing}".`
    const kind = error.startsWith('SyntaxError') || error.startsWith('IndentationError') ? 'syntax' : 'runtime'
    return {
      status: 'failed',
      error: { kind, message: error, ...(line && { line }), ...(ended.stack !== undefined && { stack: ended.stack }) },
      ...(needsServer !== undefined && { needsServer }),
    }
  },
})

interface Ended {
  repr?: string
  value?: Json
  error?: string
  missing?: string
  line?: number
  stack?: string
}

const prepare = `
import ast, json, sys, traceback
from pyodide.code import eval_code_async

async def __coherex_run(code):
    try:
        value = await eval_code_async(code, globals(), filename="block.py")
        if value is None:
            return "{}"
        ended = {"repr": repr(value)[:10000]}
        try:
            text = json.dumps(value, allow_nan=False)
            if len(text) < 100000:
                ended["value"] = json.loads(text)
        except (TypeError, ValueError, RecursionError):
            pass
        globals()["_"] = value
        return json.dumps(ended)
    except BaseException as error:
        frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename == "block.py"]
        line = error.lineno if isinstance(error, SyntaxError) else frames[-1].lineno if frames else None
        text = "".join(traceback.format_exception_only(error)).strip()
        ended = {"error": f"{type(error).__name__}: {error}" if not isinstance(error, SyntaxError) else f"SyntaxError: {error.msg}", "line": line}
        if frames:
            ended["stack"] = "Traceback (most recent call last):\\n" + "".join(traceback.format_list(frames)) + text
        if isinstance(error, ModuleNotFoundError):
            ended["missing"] = error.name
        return json.dumps(ended)
`
