import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Language } from '@coherex/contract'
import { createLauncher, type Launched } from '../../launch/index.ts'
import { encodeFrame, FrameDecoder } from '../../protocol/index.ts'
import type { FromSession, ToSession } from '../../protocol/session-messages.ts'
import { compileGuest } from '../compile-guest.ts'
import { baseInside, findBasePython } from '../languages/base-python.ts'
import { duckDbModules } from '../languages/duckdb-modules.ts'
import { defaults } from '../process-fixture.ts'
import { sessionCommands } from './session-commands.ts'

type Message<T extends FromSession['type']> = Extract<FromSession, { type: T }>
export type CellAsk = Partial<Omit<Extract<ToSession, { type: 'cell' }>, 'type' | 'id' | 'code'>> & {
  /** Called with each message of the cell, as it comes. */
  onMessage?(message: FromSession, session: Session): void
}

const environment = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/coherex/bin:/opt/node/bin',
  HOME: '/home/guest',
  LANG: 'C.UTF-8',
  TMPDIR: '/tmp',
  MPLCONFIGDIR: '/tmp/.cache/matplotlib',
  MPLBACKEND: 'agg',
  PYTHONDONTWRITEBYTECODE: '1',
}

/** Launches the drivers of sessions, each in a sandbox of its own and without a keeper, for tests. */
export async function createSessionFixture(uidBase: number) {
  const stateDir = mkdtempSync(join(tmpdir(), 'coherex-session-'))
  chmodSync(stateDir, 0o755)
  const launcher = await createLauncher({ stateDir, uidBase })
  const base = await findBasePython()
  const guest = await compileGuest(launcher.directory('guest'), base)

  return {
    async start(
      language: Language,
      env: Record<string, string> = {},
      own: Record<string, string> = {},
    ): Promise<Session> {
      const launched = await launcher.launch({
        argv: [...(sessionCommands[language] ?? [])],
        binds: [
          { host: guest, guest: '/opt/coherex' },
          { host: process.execPath, guest: '/opt/node/bin/node' },
          ...duckDbModules(),
          ...(base.site ? [{ host: base.site, guest: baseInside }] : []),
        ],
        env: { ...environment, ...own },
        home: '/home/guest',
        readOnly: false,
        limits: { ...defaults, memoryMb: 512 },
        seccomp: 'guest',
      })
      const session = new Session(launched)
      await session.next('ready')
      session.send({ type: 'begin', language, env })
      return session
    },
    async close() {
      await launcher.close()
      rmSync(stateDir, { recursive: true, force: true })
    },
  }
}

/** The host's end of one session, as plain as it can be. */
export class Session {
  readonly launched: Launched
  readonly #decoder = new FrameDecoder()
  readonly #messages: FromSession[] = []
  #wake = () => {}
  #lastId = 0
  complaint = ''
  isOver = false

  constructor(launched: Launched) {
    this.launched = launched
    launched.stdout.resume()
    launched.stderr.on('data', (chunk: Buffer) => (this.complaint += chunk.toString('utf8')))
    launched.channel.read.on('data', (chunk: Buffer) => {
      for (const message of this.#decoder.push(chunk)) this.#messages.push(message as FromSession)
      this.#wake()
    })
    launched.channel.read.once('close', () => {
      this.isOver = true
      this.#wake()
    })
  }

  send(message: ToSession): void {
    this.launched.channel.write.write(encodeFrame(message))
  }

  async #take(): Promise<FromSession | undefined> {
    while (this.#messages.length === 0 && !this.isOver)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    return this.#messages.shift()
  }

  async next<T extends FromSession['type']>(type: T): Promise<Message<T>> {
    const message = await this.#take()
    if (message?.type !== type) throw new Error(`Expected ${type}, got ${JSON.stringify(message)}: ${this.complaint}`)
    return message as Message<T>
  }

  /** Runs a cell to its end, or to the end of the session. */
  async run(code: string, { onMessage, ...ask }: CellAsk = {}) {
    const id = ++this.#lastId
    this.send({ type: 'cell', id, code, outputBytes: 1_000_000, capabilities: {}, isInteractive: false, ...ask })
    await this.next('started')
    const told = {
      stdout: '',
      stderr: '',
      pieces: [] as string[],
      displays: [] as Record<string, unknown>[],
      result: undefined as unknown,
      text: undefined as string | undefined,
      error: undefined as Message<'error'>['error'] | undefined,
      interrupted: false,
      truncated: false,
      ended: false,
    }
    for (;;) {
      const message = await this.#take()
      if (!message) return { ...told, ended: true }
      onMessage?.(message, this)
      if (message.type === 'output') {
        told.pieces.push(`${message.stream}:${message.text}`)
        if (message.stream === 'stdout' || message.stream === 'stderr') told[message.stream] += message.text
      } else if (message.type === 'display') told.displays.push(message.data)
      else if (message.type === 'result') Object.assign(told, { result: message.value, text: message.text })
      else if (message.type === 'error') {
        told.error = message.error
        told.interrupted = message.interrupted ?? false
      } else if (message.type === 'cell-done') return { ...told, truncated: message.truncated }
    }
  }

  async variables(): Promise<Message<'variables'>['items']> {
    this.send({ type: 'variables', id: ++this.#lastId })
    return (await this.next('variables')).items
  }

  async complete(code: string): Promise<Omit<Message<'complete'>, 'type' | 'id'>> {
    this.send({ type: 'complete', id: ++this.#lastId, code })
    const { prefix, items } = await this.next('complete')
    return { prefix, items }
  }

  async variable(name: string, offset = 0, limit = 100): Promise<Message<'variable'>['variable']> {
    this.send({ type: 'variable', id: ++this.#lastId, name, offset, limit })
    return (await this.next('variable')).variable
  }

  /** What the keeper does inside. */
  interrupt(): void {
    process.kill(this.driver(), 'SIGINT')
  }

  /** The driver's pid on this machine: the first below the launcher's own programs. */
  driver(): number {
    let pid = this.launched.pid
    while (/^(bwrap|unshare|prlimit|sh)$/m.test(readFileSync(`/proc/${pid}/comm`, 'utf8'))) {
      const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
      if (!child) break
      pid = Number(child)
    }
    return pid
  }

  close(): Promise<void> {
    return this.launched.kill()
  }
}
