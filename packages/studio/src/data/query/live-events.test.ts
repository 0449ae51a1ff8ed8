import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { listenToChanges } from './live-events.ts'

/** The browser's socket, which opens and breaks when the test says so. */
class Line {
  static all: Line[] = []
  onopen = () => undefined
  onclose: (event: { code: number }) => void = () => undefined
  onmessage: (event: { data: string }) => void = () => undefined
  readonly url: URL

  constructor(url: string) {
    this.url = new URL(url)
    Line.all.push(this)
  }

  close() {
    this.onclose({ code: 1000 })
  }
}

afterEach(() => {
  vi.unstubAllGlobals()
  Line.all = []
})

test('what is not answered yet when the line comes back is asked for again after its answer', async () => {
  vi.stubGlobal('WebSocket', Line)
  vi.stubGlobal('location', { origin: 'http://127.0.0.1' })
  const queryClient = new QueryClient()
  const stop = listenToChanges({ queryClient, onConnection: () => undefined })
  Line.all[0]?.onopen()
  Line.all[0]?.onclose({ code: 1006 })

  // a page that is opened meanwhile: the answer is from before a change that nobody told
  const asked: ((answer: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => asked.push(resolve))
  const shown = new QueryObserver(queryClient, { queryKey: ['thread', 'list'], queryFn })
  shown.subscribe(() => undefined)
  await expect.poll(() => Line.all.length).toBe(2)
  Line.all[1]?.onopen()
  asked[0]?.('before the change')
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.('after it')
  await expect.poll(() => shown.getCurrentResult().data).toBe('after it')
  stop()
})

test('a page asks once when its line opens, and again for what the server says has changed since', async () => {
  vi.stubGlobal('WebSocket', Line)
  vi.stubGlobal('location', { origin: 'http://127.0.0.1' })
  const queryClient = new QueryClient()
  const asked: string[] = []
  const show = (noun: string) => {
    const queryFn = async () => asked.push(noun)
    new QueryObserver(queryClient, { queryKey: [noun, 'list'], queryFn }).subscribe(() => undefined)
  }
  show('thread')
  show('run')
  await expect.poll(() => queryClient.isFetching()).toBe(0)
  const stop = listenToChanges({ queryClient, onConnection: () => undefined })
  const [line] = Line.all
  line?.onopen()
  await new Promise((resolve) => setTimeout(resolve))
  expect(asked).toEqual(['thread', 'run'])
  expect(Number(line?.url.searchParams.get('age'))).toBeGreaterThanOrEqual(1_000)

  line?.onmessage({ data: JSON.stringify({ type: 'run', id: 'run_1' }) })
  await expect.poll(() => asked).toEqual(['thread', 'run', 'run'])
  line?.onmessage({ data: JSON.stringify({ type: 'changes-unknown', id: null }) })
  await expect.poll(() => asked).toEqual(['thread', 'run', 'run', 'thread', 'run'])
  stop()
})
