export interface ReadEvent {
  id: string
  type: string
  data: unknown
}

/** Server-sent events of a response as they arrive. */
export async function* readEvents(response: Response): AsyncGenerator<ReadEvent> {
  let buffer = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    buffer += decoder.decode(chunk, { stream: true })
    for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
      const lines = buffer.slice(0, end).split('\n')
      buffer = buffer.slice(end + 2)
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const data = field('data')
      if (data !== undefined) yield { id: field('id') ?? '', type: field('event') ?? 'message', data: JSON.parse(data) }
    }
  }
}
