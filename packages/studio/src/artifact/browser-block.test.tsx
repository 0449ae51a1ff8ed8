// @vitest-environment happy-dom
import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { messageOf, openBlocks, runOf } from '../../tests/open-blocks.tsx'

// what runs in a worker of a real browser is proved there
const session = vi.hoisted(() => ({ sessionOf: vi.fn(), resetSession: vi.fn(async () => undefined) }))
vi.mock('../runtimes/browser-sessions.ts', () => session)
vi.mock('../output/drawing.tsx', () => ({ Drawing: () => <iframe title="Drawn" /> }))

const outcome = {
  status: 'failed',
  error: { kind: 'runtime', message: "No module named 'pandas'", line: 1 },
  needsServer: 'The browser has no pandas. The server has it.',
}

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('coherex.run-in.python', 'browser')
  session.resetSession.mockClear()
  session.sessionOf.mockResolvedValue({ run: async () => ({ outcome, durationMs: 5, isReset: false }) })
})

const open = () => {
  vi.stubGlobal('Worker', class {})
  return openBlocks(messageOf('```python title="Load"\nimport pandas\n```\n'))
}

test('Run on the server is offered where the browser has no such package, and runs the block there', async () => {
  const page = await open()
  await page.press(page.button('Run'))
  await expect.poll(() => document.body.textContent).toContain('The browser has no pandas.')
  const [report] = page.posts()
  expect(report?.body).toMatchObject({ index: 0, runtime: 'browser', report: { status: 'failed', durationMs: 5 } })
  await report?.answer(200, runOf({ id: 'run_9', status: 'failed', reportedBy: 'client' }))
  // a run is done with once the blocks are read anew
  for (const asked of page.takeRequests()) await asked.answer(200, { items: [] })
  await page.press(page.button('Run on the server'))
  expect(page.posts().map(({ body }) => body)).toEqual([{ index: 0, runtime: 'server' }])
})

test('Forget variables begins the session of the language in this browser anew', async () => {
  const page = await open()
  await page.choose('More for this block', 'Forget variables')
  await expect.poll(() => session.resetSession.mock.calls).toEqual([['thr_1', 'python']])
})

test('Full screen shows the frame of a page whose scripts run', async () => {
  const page = await openBlocks(messageOf('```html title="Page"\n<h1>Shown</h1><script>1</script>\n```\n'))
  await page.press(page.button('Run scripts'))
  await expect.poll(() => document.querySelector('section iframe')).toBeTruthy()
  const frame = document.querySelector('section iframe') as HTMLIFrameElement
  frame.requestFullscreen = vi.fn(async () => undefined)
  await act(async () => page.button('Full screen').click())
  expect(frame.requestFullscreen).toHaveBeenCalledTimes(1)
})
