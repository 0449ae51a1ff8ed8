import type { UIMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { prepareStep } from './prepare-step.ts'

const user = (text: string): UIMessage => ({ id: text, role: 'user', parts: [{ type: 'text', text }] })
const call = (id: string, text: string): UIMessage => ({
  id,
  role: 'assistant',
  parts: [
    { type: 'step-start' },
    { type: 'dynamic-tool', toolName: 'look', toolCallId: id, state: 'output-available', input: {}, output: { text } },
    { type: 'text', text: `I looked at ${id}.` },
  ],
})
const prepare = (messages: UIMessage[], more: Partial<Parameters<typeof prepareStep>[0]> = {}) =>
  prepareStep({ messages, tools: {}, windowMessages: 50, contextTokens: 10_000, takesImages: true, ...more })

describe('what a model reads', () => {
  it('are the newest messages, beginning with one of a person', async () => {
    const messages = Array.from({ length: 30 }, (_, index) => [user(`q${index}`), call(`c${index}`, 'x')]).flat()
    const { messages: seen, isCompacted } = await prepare(messages, { windowMessages: 5 })
    expect(seen[0]).toMatchObject({ role: 'user', content: [{ type: 'text', text: 'q28' }] })
    expect(isCompacted).toBe(false)
  })

  it('has earlier results shortened first, each with its id, and the newest whole', async () => {
    const long = 'y'.repeat(12_000)
    const messages = [user('a'), call('call_old', long), user('b'), call('call_new', long)]
    const { messages: seen, isCompacted } = await prepare(messages)
    const text = JSON.stringify(seen)
    expect(isCompacted).toBe(true)
    expect(text).toContain('read_result with id \\"call_old\\"')
    expect(text).toContain(long)
    expect(text.length).toBeLessThan(14_000)
  })

  it('loses whole exchanges only when that is not enough, and never the question', async () => {
    const messages = [
      ...Array.from({ length: 10 }, (_, index) => user(`${index} ${'z'.repeat(5_000)}`)),
      user('the question'),
    ]
    const { messages: seen } = await prepare(messages)
    expect(JSON.stringify(seen.at(-1))).toContain('the question')
    expect(seen.length).toBeLessThan(11)
  })

  it('has no images where the model takes none', async () => {
    const image: UIMessage = {
      id: 'i',
      role: 'user',
      parts: [{ type: 'file', mediaType: 'image/png', filename: 'cat.png', url: 'data:image/png;base64,AAAA' }],
    }
    const { messages: seen } = await prepare([image], { takesImages: false })
    expect(JSON.stringify(seen)).toContain('[image cat.png left out]')
    expect(JSON.stringify((await prepare([image])).messages)).toContain('image/png')
  })

  it('has no address that someone would fetch', async () => {
    const parts: UIMessage['parts'] = [{ type: 'file', mediaType: 'image/png', url: 'https://example.org/cat.png' }]
    const { messages: seen } = await prepare([{ id: 'i', role: 'user', parts }])
    expect(JSON.stringify(seen)).not.toContain('example.org')
  })
})
