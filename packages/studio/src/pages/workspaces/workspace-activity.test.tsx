// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { openPage } from '../../../tests/open-page.tsx'
import { AgentStatus, RunQueueStatus } from './workspace-activity.tsx'

const page = (items: unknown[]) => ({ items, nextCursor: null })

test('RunQueueStatus says how many runs are under way and which place the next one has', async () => {
  const onOpen = vi.fn<() => void>()
  const shown = await openPage(<RunQueueStatus id="wsp_1" onOpen={onOpen} />)
  const runs = ['queued', 'running', 'succeeded'].map((status) => ({ id: `run_${status}`, status }))
  await shown.takeRequests()[0]?.answer(200, page(runs))
  const run = shown.takeRequests().find(({ path }) => path.includes('run_queued'))
  await run?.answer(200, { id: 'run_queued', status: 'queued', position: 3 })
  await shown.press(shown.button('1 running, 1 waiting, number 3 in the queue'))
  expect(onOpen).toHaveBeenCalledOnce()
})

test('AgentStatus says what the agents of the workspace do, those that wait for a person first', async () => {
  const shown = await openPage(<AgentStatus id="wsp_1" onOpen={() => undefined} />)
  const thread = (workspaceId: string, agent: string, activity: string) => ({ id: agent, workspaceId, agent, activity })
  const threads = [
    thread('wsp_2', 'elsewhere', 'waiting'),
    thread('wsp_1', 'coder', 'thinking'),
    thread('wsp_1', 'scribe', 'waiting'),
    thread('wsp_1', 'resting', 'idle'),
  ]
  await shown.takeRequests()[0]?.answer(200, page(threads))
  expect(document.querySelector('[role=status]')?.textContent).toBe('scribe: waiting for approval, and 1 more')
})
