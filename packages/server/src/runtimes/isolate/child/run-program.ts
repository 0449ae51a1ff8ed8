import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import ivm from 'isolated-vm'
import type { GuestError, GuestMessage, GuestStream } from '../../protocol/messages.ts'
import type { DescribedError, Ending, ImportAnswer, Start } from '../guest/host.ts'
import { bundleDirectory, doneCodes, isBrief, type IsolateStart } from '../messages.ts'
import { createFixedRandom } from './fixed-random.ts'
import { createFixedTimers } from './fixed-timers.ts'
import type { CompiledScripts } from './kept-isolates.ts'
import type { Outbox } from './outbox.ts'
import { type Files, normalise, type Prepared, reachImport, type Script } from './prepare-program.ts'
import { changedEnding, readEnding } from './read-ending.ts'
import { createScratch } from './scratch.ts'
import { mapStack, mapText } from './source-positions.ts'
import { ProgramError } from './transform-module.ts'
import type { WarmIsolate } from './warm-isolate.ts'

export interface Conversation extends Outbox {
  /** The host's answers, by call id; undefined stops listening. */
  onAnswer(listen: ((id: number, answer: string) => void) | undefined): void
}

interface Work {
  program: IsolateStart
  files: Files
  warm: WarmIsolate
  prepare(program: IsolateStart, files: Files): Prepared
  conversation: Conversation
  /** Of the isolate, where that is kept. */
  compiled?: CompiledScripts
}

/** What a program left in its isolate: nothing, something that ends with it, or code that may still be running. */
type Left = 'nothing' | 'something' | 'code'

// a task of the isolate that is still running this long after the program ended is left running code
const stragglerMs = 50
const fileChunkBytes = 1024 * 1024

/** Runs one program in a warm isolate to its end. */
export async function runProgram(
  { program, files, warm, prepare, conversation, compiled }: Work,
  cleanCode: number,
): Promise<Left> {
  const { send, flush } = conversation
  let scratch: ReturnType<typeof createScratch> | undefined
  const openScratch = () =>
    createScratch(program.capabilities['FILES'] ? new Map() : withEntry(program, files), {
      ...program.scratch,
      readOnly: program.readOnly,
    })
  let isCut = false
  let isCutTold = false
  let prepared: Prepared
  let bodies: ivm.Reference[]
  try {
    prepared = prepare(program, files)
    const scripts = compiled && scriptsOf(compiled, prepared)
    bodies = prepared.scripts.map((script, at) => compile(script, at, { warm, prepared, scripts }))
  } catch (error) {
    const failure = describeLoadFailure(error, program, warm)
    if (!failure) throw error
    send({ type: 'started' })
    send({ type: 'error', error: failure })
    return finish('something')
  }
  const original = (id: string, line: number, column: number) => originalPosition(prepared, id, line, column)

  const timers = new Map<number, NodeJS.Timeout>()
  // those of timers and fixedTimers that keep no script from its end
  const loose = new Set<number>()
  const calls = new Map<number, (answer: string) => void>()
  let lastSyncCall = 0
  let entered = 0
  let ending: Ending | undefined
  // a rejection that nobody handled may be told of its isolate later than of its program
  let hasFailed = false
  let toldEnding: Ending | undefined
  let end: () => void = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))

  // a thread of its own costs as much as a short program: only who waits for the host in the middle of a call needs one
  const isApart = prepared.usesFs
  const known = new Set(Object.keys(prepared.modules))
  const enter = (...task: Parameters<WarmIsolate['enter']>) => {
    entered++
    if (isApart) return void warm.enterApart(...task).then(leave, fail)
    try {
      warm.enter(...task)
    } catch (error) {
      return fail(error)
    }
    // it waits for something: what is known so far is told
    if (!ending) flush()
    return leave()
  }
  const leave = () => {
    entered--
    check()
  }
  /** A rejection nobody handled, or the isolate itself gave up. */
  const fail = (error: unknown) => {
    hasFailed = true
    if (ending?.ok !== false) ending = { ok: false, error: describeIsolateFailure(error, warm) }
    leave()
  }
  const random = program.fixed && createFixedRandom(program.fixed.seed)
  const fixedTimers =
    program.fixed &&
    createFixedTimers(program.fixed.now, (id, nowMs) => {
      loose.delete(id)
      enter('timer', String(nowMs), id)
    })
  const check = () => {
    const isResting = entered === 0 && calls.size === 0
    if (isResting) fixedTimers?.arm()
    const timersLeft = timers.size + (fixedTimers?.size ?? 0)
    if (ending && (!ending.ok || !ending.isScript || (isResting && timersLeft === loose.size))) return end()
    // any timer may still settle what the program waits for
    if (!isResting || timersLeft > 0) return
    const message = 'The program ended while a promise it waits for was still pending'
    ending = { ok: false, error: { kind: 'runtime', name: 'Error', message, stack: '' } }
    end()
  }

  const takeAnswer = (id: number, answer: string) => {
    const resolve = calls.get(id)
    calls.delete(id)
    resolve?.(answer)
  }
  const sendCall = (id: number, capability: string, method: string, args: string) => {
    try {
      send({ type: 'call', id, capability, method, args: JSON.parse(args) as unknown })
    } catch {
      // longer than a message may be; who calls is still on the stack, and hears of it afterwards
      const message = `${capability}.${method}: the arguments are too large to be passed on`
      setImmediate(takeAnswer, id, JSON.stringify({ error: { code: 'LIMIT_EXCEEDED', message } }))
    }
  }
  conversation.onAnswer(takeAnswer)
  warm.attach({
    output(stream, text) {
      send({ type: 'output', stream: stream as GuestStream, text: mapText(text, original) })
      // the last piece goes out before the word that it was the last
      if (isCut && !isCutTold) send({ type: 'cut' })
      isCutTold = isCut
    },
    cut: () => void (isCut = true),
    display: (data) => send({ type: 'display', data: JSON.parse(data) as Record<string, unknown> }),
    call(id, capability, method, args) {
      calls.set(id, (answer) => enter('answer', answer, id))
      sendCall(id, capability, method, args)
    },
    callSync(capability, method, args) {
      // beyond the ids of the library, which counts up from 1
      const id = 2 ** 40 + lastSyncCall++
      const answer = new Promise<string>((resolve) => calls.set(id, resolve))
      sendCall(id, capability, method, args)
      return answer
    },
    scratch: (method, args) => (scratch ??= openScratch()).answer(method, args),
    reach: (specifier, from) => JSON.stringify(answerImport({ specifier, from, known, program, files, prepared })),
    ...(random && { random: (size) => random(size).toString('base64') }),
    setTimer(id, delayMs) {
      if (fixedTimers) return fixedTimers.set(id, delayMs)
      const fire = () => {
        timers.delete(id)
        loose.delete(id)
        enter('timer', '', id)
      }
      timers.set(id, setTimeout(fire, delayMs))
    },
    clearTimer(id) {
      fixedTimers?.clear(id)
      clearTimeout(timers.get(id))
      timers.delete(id)
      loose.delete(id)
      check()
    },
    holdTimer(id, isHeld) {
      if (isHeld) loose.delete(id)
      // one that has come due meanwhile is none of them any more
      else if (timers.has(id) || fixedTimers?.has(id)) loose.add(id)
    },
    settle(text) {
      const told = readEnding(text)
      // an error in a timer after a script's last line still fails it
      if (!ending || (ending.ok && !told.ok)) ending = told
      check()
      // code that a function left behind may keep this thread for ever: the host then has what it needs to end it
      if (!isApart && (!told.ok || !told.isScript)) {
        tellEnding(told)
        flush()
      }
    },
  })

  send({ type: 'started' })
  if (isApart || !isBrief(program, files.size)) flush()
  enter('start', JSON.stringify(toStart(program, prepared, random)), 0, bodies)
  await ended
  const isQuiet = timers.size + (fixedTimers?.size ?? 0) + calls.size === 0
  fixedTimers?.stop()
  for (const timer of timers.values()) clearTimeout(timer)
  conversation.onAnswer(undefined)
  calls.clear()
  await untilLeft()
  if (ending && ending !== toldEnding) tellEnding(ending)
  if (entered > 0 || warm.isolate.isDisposed) return finish('code')
  for (const body of bodies) body.release()
  const metLimit = isCut || (ending?.ok === false && ending.error.kind === 'output')
  return finish(isQuiet && !hasFailed && !metLimit ? 'nothing' : 'something')

  function tellEnding(told: Ending): void {
    toldEnding = told
    if (!told.ok) return send({ type: 'error', error: toGuestError(told.error, original) })
    if (told.result === undefined) return send({ type: 'result' })
    try {
      send({ type: 'result', value: readResult(told.result, original) })
    } catch {
      // the library's own would have been shorter and less deep
      send({ type: 'error', error: toGuestError(changedEnding.error, original) })
    }
  }

  // what the last task still throws belongs to the outcome; what never leaves makes the child unusable
  async function untilLeft(): Promise<void> {
    const deadline = Date.now() + stragglerMs
    while (entered > 0 && Date.now() < deadline) await new Promise((resolve) => setImmediate(resolve))
  }

  function finish(left: Left): Left {
    warm.attach(silent)
    const filesLeftOut = scratch ? sendFiles(scratch.written(), program, send) : 0
    const exitCode = left === 'code' ? doneCodes.spent : cleanCode
    send({ type: 'done', exitCode, truncated: isCut, filesLeftOut })
    return left
  }
}

const silent = {
  output() {},
  cut() {},
  display() {},
  call() {},
  callSync: async () => '{"error":{"code":"CANCELLED","message":"The run has ended"}}',
  scratch: () => '{"error":{"code":"CANCELLED","message":"The run has ended"}}',
  reach: () => 'null',
  setTimer() {},
  clearTimer() {},
  holdTimer() {},
  settle() {},
}

interface Asked {
  specifier: string
  from: string
  /** What the guest has; grows by what it is given. */
  known: Set<string>
  program: IsolateStart
  files: Files
  prepared: Prepared
}

/** What an import() brings, as texts: on whatever thread the guest is, it can evaluate them itself. */
function answerImport({ specifier, from, known, program, files, prepared }: Asked): ImportAnswer | null {
  try {
    const isKnown = (id: string) => known.has(id)
    const reached = reachImport({ specifier, from }, { program, files, prepared, isKnown })
    if (!reached) return null
    const modules = Object.create(null) as Start['modules']
    for (const [id, { kind, text, bundle }] of Object.entries(reached.modules)) {
      known.add(id)
      const code = bundle === undefined ? text : readBundle(bundle).text
      // frames name it by this, which may have no blanks
      const url = encodeURI(id.toWellFormed())
      if (kind === 'code') prepared.transformed.set(url, prepared.transformed.get(id)!)
      modules[id] =
        code === undefined ? { kind } : { kind, text: kind === 'json' ? code : `${code}\n//# sourceURL=${url}` }
    }
    return { target: reached.target, modules, resolutions: reached.resolutions }
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error
    const { kind, message, at } = error
    if (at) prepared.unreadable.add(at.id)
    return { error: { kind, message, place: at ? `    at ${at.id}:${at.line}:${at.column}` : '' } }
  }
}

function toStart(program: IsolateStart, prepared: Prepared, random?: (size: number) => Buffer): Start {
  const { input, env, capabilities, stdin, outputBytes, resultBytes, fixed } = program
  return {
    entry: normalise(program.entry),
    modules: prepared.modules,
    resolutions: prepared.resolutions,
    ...(input !== undefined && { input }),
    vars: env,
    capabilities,
    ...(stdin !== undefined && { stdin }),
    outputBytes,
    resultBytes,
    ...(fixed &&
      random && { fixed: { now: fixed.now, random: [...new Int32Array(new Uint8Array(random(16)).buffer)] } }),
  }
}

function scriptsOf(compiled: CompiledScripts, prepared: Prepared): Map<number, ivm.Script> {
  const scripts = compiled.get(prepared) ?? new Map<number, ivm.Script>()
  compiled.set(prepared, scripts)
  return scripts
}

const bundles = new Map<string, { text: string; compiled?: ivm.ExternalCopy<ArrayBuffer> }>()

/** A function of the isolate that is the module's body; evaluating it runs nothing of the guest's. */
function compile(
  script: Script,
  at: number,
  { warm, prepared, scripts }: { warm: WarmIsolate; prepared: Prepared; scripts: Map<number, ivm.Script> | undefined },
): ivm.Reference {
  const { filename } = script
  const before = scripts?.get(at)
  if (before) return before.runSync(warm.context, { reference: true }) as ivm.Reference
  const bundle = 'bundle' in script ? readBundle(script.bundle) : undefined
  const text = 'text' in script ? script.text : (bundle?.text ?? '')
  const known = bundle ? bundle.compiled : (prepared.compiled.get(at) as ivm.ExternalCopy<ArrayBuffer> | undefined)
  // keeping takes twice as long as compiling something short: only what comes again is worth it
  const isWorthKeeping = text.length > 4096 || prepared.runs > 1
  let compiled: ivm.Script
  try {
    compiled = warm.isolate.compileScriptSync(text, {
      filename,
      ...(known ? { cachedData: known } : isWorthKeeping && { produceCachedData: true }),
    })
  } catch (error) {
    throw error instanceof SyntaxError ? toProgramError(error, prepared) : error
  }
  const { cachedData } = compiled as { cachedData?: ivm.ExternalCopy<ArrayBuffer> }
  if (cachedData && bundle) bundle.compiled = cachedData
  else if (cachedData) prepared.compiled.set(at, cachedData)
  scripts?.set(at, compiled)
  return compiled.runSync(warm.context, { reference: true, release: !scripts }) as ivm.Reference
}

/** V8 found what oxc let pass, such as a mistake in a regular expression. It tells the place at the end of its message. */
function toProgramError(error: SyntaxError, prepared: Prepared): ProgramError {
  const [, message = error.message, id = '', line, column] = /^(.*) \[(.*):(\d+):(\d+)\]$/s.exec(error.message) ?? []
  const at = originalPosition(prepared, id, Number(line), Number(column))
  const begins = prepared.transformed.get(id)?.code.split('\n')[Number(line) - 1]?.[Number(column) - 1]
  const told = begins === '@' ? 'Decorators cannot be run: V8 does not have them' : message
  return new ProgramError('syntax', told, at && { id, ...at })
}

function originalPosition({ transformed, unreadable }: Prepared, id: string, line: number, column: number) {
  if (unreadable.has(id)) return { line, column }
  // the function around a module's body takes one line of its own
  return transformed.get(id)?.original(line - 1, column)
}

function readBundle(name: string): { text: string; compiled?: ivm.ExternalCopy<ArrayBuffer> } {
  const known = bundles.get(name)
  if (known) return known
  const bundle = { text: readFileSync(join(bundleDirectory, name), 'utf8') }
  bundles.set(name, bundle)
  return bundle
}

function describeLoadFailure(error: unknown, program: IsolateStart, warm: WarmIsolate): GuestError | undefined {
  if (error instanceof ProgramError) {
    const { kind, message, at } = error
    return {
      kind,
      message,
      ...(at && {
        line: at.line,
        column: at.column,
        stack: `${kind === 'syntax' ? 'SyntaxError' : 'Error'}: ${message}\n    at ${at.id}:${at.line}:${at.column}`,
      }),
    }
  }
  if (warm.isolate.isDisposed) return { kind: 'memory', message: `The program needs more than ${program.memoryMb} MB` }
  return undefined
}

function describeIsolateFailure(error: unknown, warm: WarmIsolate): DescribedError {
  if (warm.isolate.isDisposed) {
    return { kind: 'memory', name: '', message: `The program needed more than ${warm.memoryMb} MB`, stack: '' }
  }
  if (!(error instanceof Error)) return { kind: 'runtime', name: '', message: `Uncaught ${String(error)}`, stack: '' }
  // of an object that is no error, isolated-vm tells only that
  if (error.message.startsWith('An object was thrown from supplied code within isolated-vm'))
    return {
      kind: 'runtime',
      name: '',
      message: 'Uncaught: a promise was rejected with an object that is no Error',
      stack: '',
    }
  const stack = (error.stack ?? '').split(/\n\s*at \(<isolated-vm boundary>\)/)[0] ?? ''
  const kind = /^(LIMIT_EXCEEDED|URL_NOT_ALLOWED|METHOD_NOT_ALLOWED|NOT_GRANTED|MODULE_NOT_ALLOWED|EROFS)$/.test(
    String((error as { code?: unknown }).code),
  )
    ? 'denied'
    : 'runtime'
  return { kind, name: error.name, message: error.message, stack }
}

function toGuestError(error: DescribedError, original: Parameters<typeof mapStack>[1]): GuestError {
  const told = error.kind === 'denied' ? nameModuleOfNode(error.message) : error.message
  const { stack, at } = mapStack(
    error.stack.replace(error.message, () => told),
    original,
  )
  const message =
    error.name === '' || error.kind === 'memory' || error.kind === 'output' ? told : `${error.name}: ${told}`
  return { kind: error.kind, message, ...(at && { line: at.line, column: at.column }), ...(stack !== '' && { stack }) }
}

/** Guests know no list of Node's modules; whoever reads the error learns that a process has this one (contract/outgrew-isolate.ts). */
function nameModuleOfNode(message: string): string {
  const [, name = ''] = /^Cannot import "([\w:/]+)": /.exec(message) ?? []
  return isBuiltin(name) ? `Cannot import "${name}": it is a module of Node, which the isolate has not got` : message
}

/** A result is data, except that stacks in it are shown in the author's lines, as they are everywhere else. */
function readResult(text: string, original: Parameters<typeof mapStack>[1]): unknown {
  if (!text.includes('\\n    at ')) return JSON.parse(text) as unknown
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' ? mapText(value, original) : value,
  ) as unknown
}

function withEntry(program: IsolateStart, files: Files): Files {
  return new Map([[program.entry, Buffer.from(program.code)], ...files])
}

/** Hands back what was written, within the bounds. Returns how many did not fit. */
function sendFiles(
  written: { path: string; bytes: Buffer }[],
  program: IsolateStart,
  send: (message: GuestMessage) => void,
): number {
  let left = program.filesOut.maxBytes
  let leftOut = 0
  for (const [at, { path, bytes }] of written.entries()) {
    if (bytes.length > left || at >= program.filesOut.maxFiles) {
      leftOut++
      continue
    }
    left -= bytes.length
    for (let from = 0; from === 0 || from < bytes.length; from += fileChunkBytes) {
      const chunk = bytes.subarray(from, from + fileChunkBytes)
      send({ type: 'file', path, base64: chunk.toString('base64'), last: from + fileChunkBytes >= bytes.length })
    }
  }
  return leftOut
}
