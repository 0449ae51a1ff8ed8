import type { McpPlace } from '@coherex/contract'
import { deserializeMessage, serializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client'
import type { TeamCaller } from '../../access/index.ts'
import type { RunningProcess, Sandboxes } from '../../runs/index.ts'

export type McpSandboxes = Pick<Sandboxes, 'awake' | 'create' | 'remove' | 'startProcess'>

type SandboxedPlace = Extract<McpPlace, { kind: 'sandboxed' }>

export interface SandboxedOptions {
  sandboxes: McpSandboxes
  caller: TeamCaller
  server: string
  place: SandboxedPlace
  /** Values of the secrets that it gets. */
  env: Record<string, string>
  /** Hears why it ended, where nobody asked for that. */
  onBreak(reason: string): void
}

const mostBytes = 10_000_000
const mostLines = 2_000
const lineEnd = 10
const longestWords = 300

/** A server that speaks on its standard input and output, as a process in a sandbox of its own. It goes with the transport. */
export class SandboxTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #options: SandboxedOptions
  /** The beginning of a line whose end has not come. */
  #line: Buffer[] = []
  #sandboxId: string | undefined
  #process: RunningProcess['process'] | undefined
  /** Bytes and lines since we last said something. */
  #heard = { bytes: 0, lines: 0 }
  #isClosed = false

  constructor(options: SandboxedOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { sandboxes, caller, server, place, env } = this.#options
    const { template, language, packages, network } = place
    const { id } = await sandboxes.create(caller, {
      name: `MCP server ${server}`,
      network,
      ...(template !== undefined && { template }),
      ...(packages.length > 0 && { language, packages }),
    })
    this.#sandboxId = id
    const command = `exec ${[place.command, ...place.args].map(quote).join(' ')}`
    const { process } = await sandboxes.startProcess(caller.teamId, id, { command, env })
    this.#process = process
    process.onOutput((stream, chunk) => stream === 'stdout' && this.#hear(chunk))
    void process.exited.then(({ code, signal }) => this.#end(code, signal))
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { sandboxes, caller } = this.#options
    if (this.#isClosed || !this.#process || this.#sandboxId === undefined) throw new Error('the process has ended')
    // so that it does not fall asleep while it is used
    sandboxes.awake(caller.teamId, this.#sandboxId)?.touch()
    this.#heard = { bytes: 0, lines: 0 }
    this.#process.write(Buffer.from(serializeMessage(message)))
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#process?.kill('SIGKILL')
    const { sandboxes, caller } = this.#options
    // somebody may have deleted it
    if (this.#sandboxId !== undefined) await sandboxes.remove(caller, this.#sandboxId).catch(() => undefined)
    this.onclose?.()
  }

  #hear(chunk: Uint8Array): void {
    const { onBreak } = this.#options
    const heard = this.#heard
    heard.bytes += chunk.length
    if (heard.bytes > mostBytes) return onBreak(`wrote more than ${mostBytes} bytes for one request`)
    let start = 0
    for (let end = chunk.indexOf(lineEnd); end >= 0 && !this.#isClosed; end = chunk.indexOf(lineEnd, start)) {
      const line = Buffer.concat([...this.#line, chunk.subarray(start, end)]).toString()
      this.#line = []
      start = end + 1
      if (++heard.lines > mostLines) return onBreak(`wrote more than ${mostLines} lines for one request`)
      this.#tell(line)
    }
    this.#line.push(Buffer.from(chunk.subarray(start)))
  }

  #tell(line: string): void {
    let message: JSONRPCMessage
    try {
      message = deserializeMessage(line)
    } catch {
      // some write a greeting there; it is counted, and says nothing
      return
    }
    this.onmessage?.(message)
  }

  #end(code: number | null, signal: string | null): void {
    if (this.#isClosed) return
    const words = (this.#process?.recentOutput ?? []).flatMap(({ stream, text }) => (stream === 'stderr' ? text : []))
    const said = words.join('').trim().slice(-longestWords)
    this.#options.onBreak(`ended with ${signal ?? `exit code ${code}`}${said && `: ${said}`}`)
    void this.close()
  }
}

/** One word for bash, whatever is in it. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
