// every platform has it; declared here because this package asks for neither Node nor a browser
declare class TextDecoder {
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string
}

/** One server-sent event. `id` is empty when the server gave none. */
export interface ServerEvent {
  id: string
  type: string
  data: string
}

/** Server-sent events as they arrive, however the bytes were cut on the way. One without its end is not told. */
export async function* readEvents(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<ServerEvent> {
  let fields: Fields = { data: [] }
  for await (const line of readLines(chunks)) {
    if (line !== '') {
      addField(fields, line)
      continue
    }
    const { id = '', type = 'message', data } = fields
    fields = { data: [] }
    if (data.length > 0) yield { id, type, data: data.join('\n') }
  }
}

interface Fields {
  id?: string
  type?: string
  data: string[]
}

function addField(fields: Fields, line: string): void {
  const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
  if (name === 'data') fields.data.push(value)
  if (name === 'event') fields.type = value
  if (name === 'id') fields.id = value
}

/** Lines that have their end. */
async function* readLines(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  let endsInReturn = false
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    if (text === '') continue
    // a long line comes in many pieces and is not looked through again for each
    if (!endsInReturn && !/[\r\n]/.test(text)) {
      rest += text
      continue
    }
    // a return at the very end may be half of a line end
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    endsInReturn = rest.endsWith('\r')
    yield* lines
  }
}
