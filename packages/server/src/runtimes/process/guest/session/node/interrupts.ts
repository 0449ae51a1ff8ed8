import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import process from 'node:process'
import { clearInterval, setInterval } from 'node:timers'

// what `breakOnSigint` and Node's own prompt are made of; reachable because the guest is started with --expose-internals
const { internalBinding } = createRequire(import.meta.url)('internal/test/binding') as {
  internalBinding(name: 'contextify'): {
    startSigintWatchdog(): void
    /** Whether a signal had come for nobody, which is then forgotten. */
    stopSigintWatchdog(): boolean
    watchdogHasPendingSigint(): boolean
  }
}
const watchdog = internalBinding('contextify')

const noticeMs = 20
const pause = new Int32Array(new SharedArrayBuffer(4))
let watcher = ''
let onSignal = () => {}
let isAdding = false

/**
 * Lets Node's watchdog have SIGINT for as long as the session lives. Scripts that start and stop it themselves leave a second signal behind
 * for one of the next scripts, and a signal between two of them ends the process.
 */
export function takeInterrupts(): void {
  startWatchdog()
  // a handler of a cell takes the signal from the watchdog: what the cell waits for is interrupted all the same
  process.on('newListener', (name) => {
    if (name !== 'SIGINT' || isAdding || process.listeners('SIGINT').includes(tellSignal)) return
    isAdding = true
    process.on('SIGINT', tellSignal)
    isAdding = false
  })
}

/** Forgets what was sent before: it was meant for a cell that is over. A handler that a cell had put in place goes with it. */
export function forgetInterrupts(): void {
  if (process.listenerCount('SIGINT') > 0) {
    process.removeAllListeners('SIGINT')
    watchdog.stopSigintWatchdog()
    startWatchdog()
  }
  // a signal that has come is still on its way until the watchdog's thread is back to waiting
  while (isWatcherBusy()) Atomics.wait(pause, 0, 0, 1)
  watchdog.startSigintWatchdog()
  watchdog.stopSigintWatchdog()
}

/** Calls back when a signal comes while no script runs; a script that runs is ended by the watchdog. Returns how to stop. */
export function onInterrupt(callback: () => void): () => void {
  onSignal = callback
  const timer = setInterval(() => watchdog.watchdogHasPendingSigint() && callback(), noticeMs)
  return () => {
    clearInterval(timer)
    onSignal = () => {}
  }
}

function tellSignal(): void {
  onSignal()
}

function startWatchdog(): void {
  const before = new Set(readdirSync('/proc/self/task'))
  watchdog.startSigintWatchdog()
  watcher = readdirSync('/proc/self/task').find((thread) => !before.has(thread)) ?? ''
}

function isWatcherBusy(): boolean {
  try {
    return /\) R /.test(readFileSync(`/proc/self/task/${watcher}/stat`, 'latin1'))
  } catch {
    return false
  }
}
