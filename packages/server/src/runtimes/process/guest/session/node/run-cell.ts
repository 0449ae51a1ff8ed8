import { clearInterval, setImmediate, setInterval } from 'node:timers'
import { inspect } from 'node:util'
import { constants, Script } from 'node:vm'
import { encodeResult } from '../../../../isolate/guest/result.ts'
import { type CellSource, readCell } from './cell-source.ts'
import { show } from './output.ts'

const maxResultBytes = 8 * 1024 * 1024
const noticeMs = 50
// cells may declare names that the driver lives by
export const OwnPromise = Promise
const jupyterDisplay = Symbol.for('Jupyter.display')

/** Ends the wait for a cell; its own promises go on without anybody who listens. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

export interface CellRun {
  code: string
  name: string
  isTypeScript: boolean
  onSource(source: CellSource): void
  /** Rejects when the cell has to stop waiting. */
  stopped: Promise<never>
}

/** The cell's value as JSON data; undefined when it has none. */
export async function runCell({ code, name, isTypeScript, onSource, stopped }: CellRun): Promise<{ value?: unknown }> {
  const source = readCell(code, isTypeScript)
  onSource(source)
  const script = new Script(source.prefix + source.code, {
    filename: name,
    columnOffset: -source.prefix.length,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  const { returned } = await runScript(script)
  const value = source.isAsync || returned instanceof OwnPromise ? await OwnPromise.race([returned, stopped]) : returned
  return source.hasValue ? tellValue(value) : {}
}

/**
 * Runs what can be interrupted in a task of its own. A signal that comes as the script ends terminates whatever code of ours runs next,
 * and nobody is told: the timer notices.
 */
function runScript(script: Script): Promise<{ returned: unknown }> {
  return new OwnPromise((resolve, reject) => {
    let isRunning = false
    const interrupt = () => reject(new Interrupted('The cell was interrupted'))
    // between tasks a script that runs has been terminated
    const timer = setInterval(() => isRunning && settle(interrupt), noticeMs)
    const settle = (tell: () => void) => {
      isRunning = false
      clearInterval(timer)
      tell()
    }
    setImmediate(() => {
      isRunning = true
      try {
        const returned: unknown = script.runInThisContext({ breakOnSigint: true, displayErrors: false })
        settle(() => resolve({ returned }))
      } catch (error) {
        const { code } = (error ?? {}) as NodeJS.ErrnoException
        settle(code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED' ? interrupt : () => reject(error))
      }
    })
  })
}

function tellValue(value: unknown): { value?: unknown } {
  if (value === undefined) return {}
  const bundle = richForms(value)
  if (bundle) show(bundle)
  const json = encodeResult(value, maxResultBytes)
  return { value: json === undefined ? inspect(value).slice(0, 10_000) : (JSON.parse(json) as unknown) }
}

function richForms(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || !(jupyterDisplay in value)) return undefined
  const make = value[jupyterDisplay]
  const bundle: unknown = typeof make === 'function' ? make.call(value) : undefined
  const json = encodeResult(bundle, maxResultBytes)
  return json?.startsWith('{') ? (JSON.parse(json) as Record<string, unknown>) : undefined
}
