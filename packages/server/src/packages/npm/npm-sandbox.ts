import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CoherexError, type ErrorCode } from '@coherex/contract'
import { z } from 'zod'
import { buildFileOnce, encodeFrame, FrameSplitter, type Launcher } from '../../runtimes/index.ts'
import { DocumentRelay, type DocumentSource } from './document-relay.ts'
import { npmFailures, type NpmAnswer, type NpmFailure, type NpmTask } from './messages.ts'

export interface NpmSandboxOptions {
  launcher: Launcher
  /** What runs in the sandbox is put here. Sandbox users must be able to reach it. */
  cacheDir: string
}

const longestMs = 120_000
// each may take a gigabyte
const atOnce = 3
const waitingMost = 50
// npm's libraries are CommonJS
const forCommonJs = `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url), __dirname = import.meta.dirname, __filename = import.meta.filename`

const packageName = z
  .string()
  .max(214)
  .regex(/^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/)
const question = z.union([
  z.object({ type: z.literal('ask'), id: z.int(), name: packageName, isWhole: z.boolean() }),
  z.object({ type: z.literal('done'), answer: z.unknown() }),
  z.object({ type: z.literal('failed'), why: z.enum(npmFailures as [NpmFailure]), message: z.string().max(1000) }),
])

const codes: Record<NpmFailure, ErrorCode> = {
  missing: 'not_found',
  'no-version': 'not_found',
  conflict: 'invalid_input',
  untimed: 'forbidden',
  lock: 'invalid_input',
  refused: 'invalid_input',
  lost: 'unavailable',
  other: 'invalid_input',
}

/** npm's own resolver, in a sandbox of its own each time: it reads what strangers published, and its only network is this relay. */
export class NpmSandbox {
  readonly #options: NpmSandboxOptions
  readonly #waiting: (() => void)[] = []
  #running = 0
  #script: Promise<string> | undefined

  constructor(options: NpmSandboxOptions) {
    this.#options = options
  }

  unavailable(): string | undefined {
    return this.#options.launcher.unavailable()
  }

  /** What the sandbox answers, as it says it. A few work at once; others wait for their turn. */
  async run(task: NpmTask, documents: DocumentSource, signal: AbortSignal): Promise<unknown> {
    if (this.#waiting.length >= waitingMost) {
      const message = 'Too many packages are being resolved: try again'
      throw new CoherexError('unavailable', message, { retryAfterSeconds: 10 })
    }
    if (this.#running >= atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      signal.throwIfAborted()
      return await this.#work(task, documents, signal)
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }

  async #work(task: NpmTask, documents: DocumentSource, signal: AbortSignal): Promise<unknown> {
    const launched = await this.#options.launcher.launch({
      argv: ['/app/node', '--max-old-space-size=700', '/app/npm.mjs'],
      binds: [
        { host: process.execPath, guest: '/app/node' },
        { host: await this.#build(), guest: '/app/npm.mjs' },
      ],
      env: { HOME: '/home/guest' },
      home: '/home/guest',
      readOnly: false,
      limits: { memoryMb: 1024, processes: 32, openFiles: 256, diskMb: 32, inodes: 2000 },
      seccomp: 'guest',
    })
    const given = new AbortController()
    const ending = AbortSignal.any([signal, given.signal])
    const timer = setTimeout(() => given.abort(late()), longestMs)
    const socket = launched.stdin
    socket.on('error', () => {}) // its end is told below
    launched.stdout.resume()
    let lastWords = ''
    launched.stderr.on('data', (chunk: Buffer) => (lastWords = `${lastWords}${chunk.toString('utf8')}`.slice(-2000)))
    const relay = new DocumentRelay(socket, documents, ending)
    try {
      return await new Promise<unknown>((resolve, reject) => {
        const splitter = new FrameSplitter()
        ending.addEventListener('abort', () => reject(ending.reason as Error), { once: true })
        if (ending.aborted) reject(ending.reason as Error)
        socket.on('data', (chunk: Buffer) => {
          try {
            for (const body of splitter.push(chunk)) {
              const said = question.parse(JSON.parse(body.toString('utf8')))
              if (said.type === 'ask') relay.answer(said)
              else if (said.type === 'done') resolve(said.answer)
              else reject(new CoherexError(codes[said.why], said.message))
            }
          } catch (error) {
            reject(gaveUp(error))
          }
        })
        void launched.ended.then(({ outOfMemory }) => reject(outOfMemory ? tooLarge() : gaveUp(new Error(lastWords))))
        socket.write(encodeFrame({ type: 'task', task } satisfies NpmAnswer))
      })
    } finally {
      clearTimeout(timer)
      given.abort()
      await launched.kill()
    }
  }

  #build(): Promise<string> {
    this.#script ??= this.#bundle().catch((error: unknown) => {
      this.#script = undefined
      throw error
    })
    return this.#script
  }

  async #bundle(): Promise<string> {
    const text = await buildFileOnce('npm-resolve.mjs', {
      entryPoints: [join(import.meta.dirname, 'guest/main.ts')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: { js: forCommonJs },
      logLevel: 'silent',
    })
    const directory = join(this.#options.cacheDir, 'npm')
    await mkdir(directory, { recursive: true, mode: 0o755 })
    const file = join(directory, `resolve-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`)
    if (existsSync(file)) return file
    const temporary = `${file}.${process.pid}.part`
    await writeFile(temporary, text, { mode: 0o644 })
    await rename(temporary, file)
    return file
  }
}

function late(): CoherexError {
  return new CoherexError(
    'unavailable',
    'Resolving the packages took longer than two minutes: try again, or ask for fewer',
  )
}

function tooLarge(): CoherexError {
  return new CoherexError('too_large', 'Resolving the packages takes more memory than it may: ask for fewer')
}

function gaveUp(cause?: unknown): CoherexError {
  return new CoherexError('unavailable', 'The packages could not be resolved: the resolver gave up', { cause })
}
