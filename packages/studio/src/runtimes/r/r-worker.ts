import type { SandboxVariable, SandboxVariablePage } from '@coherex/contract'
import evaluate from 'guest-r/evaluate.R?raw'
import json from 'guest-r/json.R?raw'
import variables from 'guest-r/variables.R?raw'
import { boundWasm } from '../bound-wasm.ts'
import type { Output } from '../printer.ts'
import type { Answer, Json, Outcome } from '../runtime-messages.ts'
import { serveRuntime } from '../serve-runtime.ts'
import { giveFiles } from './give-files.ts'
import prepare from './prepare.R?raw'

interface Machine {
  FS: { writeFile(path: string, text: string): void; readFile(path: string, options: { encoding: 'utf8' }): string }
  webr: {
    evalR(code: string, options: object): unknown
    /** Pages of plots, by number. */
    canvas: Record<string, { offscreen: OffscreenCanvas }>
  }
}

/** What the parts in R say. */
type Message =
  | { type: 'display'; data: Record<string, unknown> }
  | { type: 'error'; error: { kind: string; message: string; line?: number; stack?: string } }
  | { type: 'result'; value?: Json }
  | { type: 'variables'; items: SandboxVariable[] }
  | { type: 'variable'; variable?: SandboxVariablePage }

const scope = globalThis as unknown as {
  Module: Machine
  onmessage: ((event: { data: unknown }) => void) | null
  postMessage: (message: { type: string; data?: unknown }) => void
  importScripts: (address: string) => void
  coherexMessage: () => void
  Worker?: new () => object
}
const quiet: Output = { print: () => undefined, display: () => undefined }
const postMessageChannel = 3
/** The end of each stack. */
const ours = /\n?\.coherex\$run_block\(\)\nefun\(expr\)$/
const plain = { captureStreams: false, captureConditions: false, captureGraphics: false, withHandlers: false }

let output = quiet
let heard: Message | undefined
let machine: Machine

let takenBytes = () => 0

serveRuntime({
  memory: () => takenBytes(),

  async load(assets) {
    takenBytes = boundWasm(1024 ** 3)
    await start(assets)
    scope.coherexMessage = () => {
      const message = JSON.parse(machine.FS.readFile('/tmp/.coherex-message', { encoding: 'utf8' })) as Message
      if (message.type === 'display') output.display(message.data)
      else heard = message
    }
    machine.FS.writeFile('/tmp/.coherex-prepare', [json, evaluate, variables, prepare].join('\n'))
    evalR('coherex <- new.env(); sys.source("/tmp/.coherex-prepare", coherex); coherex$prepare()')
    evalR('attach(list(.coherex = coherex), name = "coherex_parts"); rm(coherex)')
  },

  async run({ code }, given): Promise<Outcome> {
    output = given
    machine.FS.writeFile('/tmp/.coherex-block', code)
    const message = ask('.coherex$run_block()')
    await showPlots()
    output = quiet
    if (message?.type === 'result')
      return { status: 'succeeded', ...(message.value !== undefined && { result: message.value }) }
    const { kind, ...error } =
      message?.type === 'error' ? message.error : { kind: 'internal', message: 'R said nothing.', stack: undefined }
    const isMemory = kind === 'memory'
    const more = isMemory ? 'R in the browser may take 1 GB; the server can have more.' : ''
    const isMissing = /there is no package called|does not work in the browser/.test(error.message)
    return {
      status: 'failed',
      error: {
        ...error,
        stack: error.stack?.replace(ours, ''),
        kind: isMemory ? 'memory' : kind === 'syntax' ? 'syntax' : 'runtime',
        message: `${error.message} ${more}`.trim(),
      },
      ...((isMissing || isMemory) && { needsServer: isMissing ? 'The browser’s R has only its own packages.' : more }),
    }
  },

  look(question): Answer {
    if (question.about === 'all') {
      const message = ask('.coherex$look("", 0, 0)')
      return { variables: message?.type === 'variables' ? message.items : [] }
    }
    const { name, offset, limit } = question
    const message = ask(`.coherex$look(${JSON.stringify(name)}, ${Math.floor(offset)}, ${Math.floor(limit)})`)
    return { variable: message?.type === 'variable' ? message.variable : undefined }
  },
})

/** The machine of webR in this worker itself. It believes that it talks to a page over messages. */
function start(assets: Record<string, ArrayBuffer>): Promise<void> {
  const address = giveFiles(assets)
  return new Promise<void>((resolve, reject) => {
    scope.postMessage = ({ type, data }) => {
      if (type === 'resolve') resolve()
      else if (type === 'stdout') output.print('stdout', `${String(data)}\n`)
      else if (type === 'stderr') output.print('stderr', `${String(data)}\n`)
    }
    const { onmessage } = scope
    // it looks for workers that it could have, and is content with one that does nothing
    scope.Worker = class {}
    scope.importScripts(`${address}webr-worker.js`)
    const config = {
      ...{ RArgs: [], baseUrl: address, repoUrl: address, homedir: '/home/web_user' },
      REnv: { R_HOME: '/usr/lib/R', FONTCONFIG_PATH: '/etc/fonts', R_ENABLE_JIT: '0' },
      // its help, fonts and translations would be fetched when they are asked for
      ...{ interactive: true, createLazyFilesystem: false },
    }
    try {
      scope.onmessage?.({ data: { type: 'init', data: { config, channelType: postMessageChannel } } })
    } catch (error) {
      reject(error as Error)
    }
    scope.onmessage = onmessage
  }).then(() => {
    machine = scope.Module
  })
}

function evalR(code: string): void {
  machine.webr.evalR(code, plain)
}

/** What R answers to a call; undefined where it was thrown out of it. */
function ask(call: string): Message | undefined {
  heard = undefined
  try {
    evalR(call)
  } catch (error) {
    heard ??= { type: 'error', error: { kind: 'runtime', message: (error as Error).message } }
  }
  return heard
}

/** A page of a plot is a canvas, which becomes an image when its block is over. */
async function showPlots(): Promise<void> {
  for (const [id, { offscreen }] of Object.entries(machine.webr.canvas)) {
    const blob = await offscreen.convertToBlob({ type: 'image/png' })
    const bytes = new Uint8Array(await blob.arrayBuffer())
    const image = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    output.display({ 'text/plain': '<plot>', 'image/png': image })
    Reflect.deleteProperty(machine.webr.canvas, id)
  }
}
