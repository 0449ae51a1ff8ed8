// Plain JavaScript for Node 20 with nothing installed: this runs before anything else can.
import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/** What a person must hear in one line; never shown with a stack. */
export class Problem extends Error {
  /**
   * @param {string} message
   * @param {number} [exitCode]
   */
  constructor(message, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

const colour = process.stdout.isTTY && !process.env['NO_COLOR']
/** @param {number} code @param {string} text */
const paint = (code, text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)

/** @param {number} ms */
export const formatTime = (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`)

/** @param {'ok' | 'warn' | 'fail'} kind @param {string} text @param {number} [ms] */
export function say(kind, text, ms) {
  const mark = { ok: paint(32, '✓'), warn: paint(33, '!'), fail: paint(31, '✗') }[kind]
  console.log(`${mark} ${text}${ms === undefined ? '' : paint(2, `  ${formatTime(ms)}`)}`)
}

/**
 * Runs one visible step. `doing` is shown while it takes long; what `work` returns is shown with its time at the end.
 * @param {string} doing
 * @param {() => string | Promise<string>} work
 */
export async function step(doing, work) {
  const began = performance.now()
  let shown = false
  // a step that is over at once needs no announcement
  const timer = setTimeout(() => {
    shown = true
    process.stdout.write(`${paint(2, '…')} ${doing}${colour ? '' : '\n'}`)
  }, 300)
  try {
    const done = await work()
    clear()
    say('ok', done, performance.now() - began)
  } catch (error) {
    clear()
    throw error
  }
  function clear() {
    clearTimeout(timer)
    if (shown && colour) process.stdout.write('\r\u001b[K')
  }
}

/** @type {Set<{ child: import('node:child_process').ChildProcess, shielded: boolean }>} */
const running = new Set()
/** @type {NodeJS.Signals | undefined} */
let stoppedBy

/** @param {NodeJS.Signals} signal */
function stop(signal) {
  if (stoppedBy) return // the terminal and npm both send it
  stoppedBy = signal
  if (running.size === 0) process.exit(exitCodeOf(signal))
  for (const { child, shielded } of running) {
    if (shielded) console.log('\nFinishing the system packages, so that none is left half installed; then stopping.')
    else child.kill('SIGTERM')
  }
}

/** @param {NodeJS.Signals} signal */
const exitCodeOf = (signal) => ({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })[/** @type {'SIGINT'} */ (signal)] ?? 1

/**
 * Runs a command and keeps what it says. Ctrl-C ends it, unless it is shielded: then it is waited for. One that yields only
 * takes the processor when nobody else wants it.
 * @param {string[]} argv
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shielded?: boolean, show?: boolean, yields?: boolean, signal?: AbortSignal, onOutput?: (text: string) => void }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function run([command = '', ...args], options = {}) {
  const { cwd, env, shielded = false, show = false, yields = false, signal, onOutput } = options
  const child = spawn(command, args, {
    signal,
    cwd,
    env: env ?? process.env,
    stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    detached: shielded, // out of the terminal's process group, where Ctrl-C would reach it
  })
  const entry = { child, shielded }
  running.add(entry)
  if (yields && child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-100_000)
      onOutput?.(text)
    })
  }
  const code = await new Promise((resolve) => {
    child.once('error', (error) => resolve(/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT' ? 127 : 126))
    child.once('close', (status) => resolve(status ?? 1))
  })
  running.delete(entry)
  if (stoppedBy) throw new Problem('Stopped.', exitCodeOf(stoppedBy))
  return { code, output }
}

/** The last lines of a command's output, for one sentence about its failure. @param {string} output */
export const lastWords = (output) =>
  output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('npm error A complete log'))
    .slice(-1)[0] ?? 'it said nothing'

/**
 * Runs a script: problems become one line and an exit code, signals end what is running.
 * @param {() => Promise<number | void>} work
 */
export async function main(work) {
  for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, stop)
  try {
    process.exitCode = (await work()) ?? 0
  } catch (error) {
    say('fail', error instanceof Error ? error.message : String(error))
    process.exitCode = error instanceof Problem ? error.exitCode : 1
  }
}
