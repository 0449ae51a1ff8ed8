import { isToolUIPart, readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai'
import { storable } from '../../base/index.ts'
import type { ToolOutput } from './tool.ts'

/** A call that the model asked for and nobody has answered yet. */
export interface OpenCall {
  id: string
  tool: string
  input: unknown
  /** As its part stands in the message. */
  state: string
}

const openStates = ['input-available', 'approval-requested', 'approval-responded']

/** The message a turn is writing, kept in step with what is streamed. */
export class Answer {
  #message: UIMessage
  #pending: UIMessageChunk[] = []
  #reading = Promise.resolve()

  constructor(message: UIMessage) {
    this.#message = message
  }

  add(chunk: UIMessageChunk): void {
    const last = this.#pending.at(-1)
    // the library copies the message for every chunk: words that came in pieces are put in as one
    if (last && 'delta' in last && 'delta' in chunk && last.type === chunk.type && last.id === chunk.id) {
      this.#pending[this.#pending.length - 1] = { ...last, delta: last.delta + chunk.delta }
    } else if (chunk.type !== 'tool-input-delta') this.#pending.push(chunk)
  }

  /** What was added since the last reading is said anew. */
  restart(): void {
    this.#pending = []
  }

  /** The message with everything added so far. One reading after the other: calls that run together end in any order. */
  async read(): Promise<UIMessage> {
    const read = this.#reading.then(() => this.#readOnce())
    this.#reading = read.then(
      () => undefined,
      () => undefined, // told to whoever asked for it
    )
    return read
  }

  async #readOnce(): Promise<UIMessage> {
    const chunks = this.#pending.splice(0)
    if (chunks.length === 0) return this.#message
    const stream = ReadableStream.from(chunks) as ReadableStream<UIMessageChunk>
    for await (const message of readUIMessageStream({ message: this.#message, stream, terminateOnError: true })) {
      this.#message = message
    }
    return this.#message
  }

  async openCalls(): Promise<OpenCall[]> {
    return findOpenCalls((await this.read()).parts)
  }
}

export function findOpenCalls(parts: UIMessage['parts']): OpenCall[] {
  return (
    parts
      .filter(isToolUIPart)
      // what a call said while it ran is no answer yet
      .filter((part) => openStates.includes(part.state) || (part.state === 'output-available' && part.preliminary))
      .map((part) => ({
        id: part.toolCallId,
        tool: part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length),
        // as its message is kept: what is approved, made and read again is the same
        input: storable(part.input),
        state: part.state,
      }))
  )
}

/** How many parts of an answer were there before its last steps. */
export function countBefore(parts: UIMessage['parts'], steps: number): number {
  const starts = parts.flatMap(({ type }, index) => (type === 'step-start' ? [index] : []))
  return (steps === 0 ? undefined : starts.at(-steps)) ?? parts.length
}

/** The full result of an earlier call, wherever in the conversation it is. */
export function findResult(messages: readonly UIMessage[], callId: string): ToolOutput | undefined {
  for (const { parts } of messages) {
    const part = parts.filter(isToolUIPart).find(({ toolCallId }) => toolCallId === callId)
    if (part?.state === 'output-available') return part.output as ToolOutput
    if (part?.state === 'output-error') return { text: part.errorText }
  }
  return undefined
}
