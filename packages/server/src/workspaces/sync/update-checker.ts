import { Worker } from 'node:worker_threads'
import { CoherexError } from '@coherex/contract'
import * as Y from 'yjs'
import type { CheckAnswer, CheckRequest } from './check-worker.ts'
import { endAfterWork } from './end-after-work.ts'
import type { Known, OneText, Verdict } from './shadow-document.ts'

interface CheckerSettings {
  /** A check that has computed for so long is ended with its thread: a little more than an update may take. */
  deadlineMs: number
  /** CPU time of an update: what takes longer here would take as long where everyone waits for it. */
  budgetMs: number
  idleMs: number
}

const checkerSettings: CheckerSettings = { deadlineMs: 200, budgetMs: 150, idleMs: 60_000 }

/**
 * Tries updates of clients in a thread of its own, on copies of the documents they are for. The thread can be ended and
 * its memory is bounded, so that no update holds up or takes down the server. One check at a time.
 */
export class UpdateChecker {
  readonly #settings: CheckerSettings
  readonly #loaded = new Set<string>()
  #worker: Promise<Worker> | undefined
  #running: Worker | undefined
  /** Takes over from a thread that was ended, so that nobody waits for the start of one. */
  #spare: Promise<Worker> | undefined
  #idle: NodeJS.Timeout | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(settings: Partial<CheckerSettings> = {}) {
    this.#settings = { ...checkerSettings, ...settings }
  }

  check(key: string, doc: Y.Doc, update: Uint8Array, known: Known, only?: OneText): Promise<Verdict> {
    const turn = this.#last.then(() => this.#check(key, doc, update, known, only))
    this.#last = turn.catch(() => undefined) // told to whoever asked
    return turn
  }

  /** Tells of an update that the document has taken. */
  follow(key: string, update: Uint8Array): void {
    if (this.#loaded.has(key)) this.#post({ type: 'follow', key, update })
  }

  /** The copy is not needed any more, or has something that the document has not. */
  drop(key: string): void {
    if (this.#loaded.delete(key)) this.#post({ type: 'drop', key })
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const running = this.#running
    const spare = this.#spare
    this.#spare = undefined
    this.#forget()
    await Promise.all([running?.terminate(), spare?.then((worker) => worker.terminate()).catch(() => undefined)])
  }

  async #check(key: string, doc: Y.Doc, update: Uint8Array, known: Known, only?: OneText): Promise<Verdict> {
    clearTimeout(this.#idle)
    const worker = await (this.#worker ??= this.#take())
    if (!this.#loaded.has(key)) {
      this.#loaded.add(key)
      this.#post({ type: 'load', key, state: Y.encodeStateAsUpdate(doc), only })
    }
    const verdict = await this.#ask(worker, { type: 'check', key, update, known })
    if (verdict.kind === 'refused' && verdict.isSpoiled) this.#loaded.delete(key)
    this.#prepare()
    this.#idle = setTimeout(() => void this.close(), this.#settings.idleMs)
    this.#idle.unref()
    return verdict
  }

  #ask(worker: Worker, request: CheckRequest): Promise<Verdict> {
    return new Promise((resolve) => {
      let callOff: (() => void) | undefined
      const finish = (verdict: Verdict) => {
        callOff?.()
        worker.off('message', hear)
        worker.off('exit', fail)
        resolve(verdict)
      }
      const fail = () => {
        this.#forget()
        void worker.terminate()
        finish({
          kind: 'refused',
          code: 'invalid_input',
          reason: 'The update takes too long to apply',
          isSpoiled: true,
        })
      }
      const hear = (told: CheckAnswer) => {
        if (told !== 'began') finish(told)
        // to load the document was no work of the update
        else callOff = endAfterWork(worker, { workMs: this.#settings.deadlineMs, end: fail })
      }
      worker.on('message', hear)
      worker.on('exit', fail)
      worker.postMessage(request satisfies CheckRequest)
    })
  }

  #post(request: CheckRequest): void {
    this.#running?.postMessage(request)
  }

  async #take(): Promise<Worker> {
    const next = this.#spare ?? this.#start()
    this.#spare = undefined
    try {
      this.#running = await next
    } catch (error) {
      this.#forget()
      throw error
    }
    return this.#running
  }

  #prepare(): void {
    if (this.#spare) return
    const spare = (this.#spare = this.#start())
    const forget = () => {
      if (this.#spare === spare) this.#spare = undefined
    }
    spare.then((worker) => worker.once('exit', forget), forget)
  }

  /** Resolves when the thread listens: its start is no part of a check's time. */
  async #start(): Promise<Worker> {
    const worker = new Worker(new URL('./check-worker.ts', import.meta.url), {
      env: {},
      workerData: { budgetMs: this.#settings.budgetMs },
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    worker.unref()
    worker.on('error', () => undefined) // followed by its exit
    worker.on('exit', () => {
      if (this.#running === worker) this.#forget()
    })
    await new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('exit', () => reject(new CoherexError('unavailable', 'The update could not be checked: try again')))
    })
    return worker
  }

  #forget(): void {
    this.#worker = undefined
    this.#running = undefined
    this.#loaded.clear()
  }
}
