import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../harness/chromium.ts'
import { startChatServer, type ChatReply, type ChatRequest, type ChatServer } from '../harness/outside/chat-server.ts'
import { openStudio, type Studio } from '../harness/studio.ts'
import type { TestPerson } from '../harness/test-server.ts'

const story = { timeout: 180_000 }

/** Two runs at once, then an answer when the test lets it come. */
function answerOf(released: Promise<void>) {
  return async ({ messages, tools }: ChatRequest): Promise<ChatReply> => {
    if (tools.length === 0) return { text: 'Two sums' }
    if (messages.some(({ role }) => role === 'tool')) {
      await released
      return { text: 'Both are done.' }
    }
    const sum = (code: string) => ({ name: 'run_code', arguments: { language: 'python', code } })
    return { text: 'I add.', calls: [sum('print(20 + 22)'), sum('print(1 + 1)')] }
  }
}

describe.skipIf(!hasChromium)('executions in the studio', () => {
  let chat: ChatServer
  let studio: Studio
  let owner: TestPerson
  let page: Page

  beforeAll(async () => {
    chat = await startChatServer()
    studio = await openStudio({ COHEREX_COMPATIBLE_BASE_URL: chat.url })
    ;({ owner, page } = studio)
  })
  afterAll(async () => {
    await studio.close()
    await chat.stop()
  })

  const rows = () => page.getByRole('table', { name: 'Executions' }).locator('tbody tr')
  const bars = () => page.getByRole('table', { name: 'Timeline' }).locator('tbody tr')

  test('work shows up as it happens, and a turn is a timeline with its calls side by side', story, async () => {
    await page.goto('/executions')
    await page.getByRole('heading', { name: 'Nothing ran yet' }).waitFor()
    await expectAccessible(page)

    const { promise, resolve } = Promise.withResolvers<void>()
    chat.answer(answerOf(promise))
    const thread = await owner.call(routes.threads.create, { body: { agent: 'coder', reach: 'team' } })
    const said = { params: { id: thread.id }, query: { wait: 'false' as const }, body: { text: 'Add these up' } }
    const { id } = await owner.call(routes.threads.turn, said)
    const turnRow = rows().filter({ hasText: 'Add these up' })
    await turnRow.getByText('running').waitFor()
    const succeeded = rows().filter({ hasText: 'print(' }).filter({ hasText: 'succeeded' })
    await expect.poll(() => succeeded.count(), { timeout: 60_000 }).toBe(2)

    await turnRow.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Turn of coder' }).waitFor()
    await bars().filter({ hasText: 'Step 2' }).getByText('running').waitFor()
    resolve()
    await turnRow.getByText('succeeded').waitFor()
    await page.getByRole('region', { name: 'Output' }).getByText('Both are done.').waitFor()
    await expectAccessible(page)

    const { steps, phases, turn } = await owner.call(routes.executions.timeline, { params: { id } })
    expect(turn.startedBy).toEqual({ kind: 'person', door: 'studio' })
    expect(phases.map(({ status }) => status)).toEqual(['queued', 'running'])
    const calls = steps[0]?.calls ?? []
    expect(calls.map(({ tool, status, runs }) => [tool, status, runs.map((run) => run.status)])).toEqual([
      ['run_code', 'done', ['succeeded']],
      ['run_code', 'done', ['succeeded']],
    ])
    // the second one had begun before the first one ended
    const [first, second] = calls.map(({ startedAt, durationMs }) => ({
      from: Date.parse(startedAt ?? ''),
      to: Date.parse(startedAt ?? '') + (durationMs ?? 0),
    }))
    expect(Math.max(first?.from ?? 0, second?.from ?? 0)).toBeLessThan(Math.min(first?.to ?? 0, second?.to ?? 0))
    expect(steps[0]?.firstTokenMs).toBeLessThanOrEqual(steps[0]?.durationMs ?? 0)

    await bars().getByRole('link', { name: 'python run' }).first().click()
    await page.waitForURL(/\/executions\/run_/)
    await page.getByRole('heading', { name: 'Python run' }).waitFor()
    await page.getByRole('link', { name: 'a turn of coder' }).click()
    await page.getByRole('heading', { name: 'Turn of coder' }).waitFor()

    const csv = await (await owner.fetch('/api/v1/executions/export?kind=run')).text()
    expect(csv.split('\r\n')).toHaveLength(4)
    expect(csv).toContain('"agent","coder"')
    expect(await (await owner.fetch('/api/v1/executions/export?kind=run&format=json')).json()).toHaveLength(2)
    const jsonLines = await (await owner.fetch('/api/v1/executions/export?kind=run&format=jsonl')).text()
    expect(jsonLines.trimEnd().split('\n')).toHaveLength(2)
  })

  test('what failed is found by a filter and done again, linked to the first', story, async () => {
    chat.answer([{ status: 401 }])
    const thread = await owner.call(routes.threads.create, { body: { agent: 'coder', title: 'Refused' } })
    const said = { params: { id: thread.id }, query: { wait: 'false' as const }, body: { text: 'Say hello' } }
    const failed = await owner.call(routes.threads.turn, said)
    await page.goto('/executions')
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Failed' }).click()
    await rows().filter({ hasText: 'Say hello' }).getByText('The provider refused the key').waitFor()
    await expect.poll(() => rows().count()).toBe(1)
    expect(new URL(page.url()).searchParams.get('status')).toBe('failed')

    chat.answer([{ text: 'Hello.' }])
    await rows().first().getByRole('button', { name: 'Actions for this turn' }).click()
    await page.getByRole('menuitem', { name: 'Run again…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Run this turn again?' })
    await dialog.getByText('Say hello').waitFor()
    await dialog.getByRole('link', { name: 'Refused' }).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Run again' }).click()
    await page.getByRole('region', { name: 'Output' }).getByText('Hello.').waitFor()
    await page.getByText('Retry of').waitFor()
    // its words are there a moment before it is over
    const newest = async () =>
      (await owner.call(routes.executions.list, { query: { kind: 'turn', limit: 1 } })).items[0]
    const retried = { retryOf: failed.id, status: 'succeeded', input: 'Say hello', output: 'Hello.' }
    await expect.poll(newest).toMatchObject(retried)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('heading', { name: 'Turn of coder' }).count()).toBe(0)
  })

  test('a run is stopped from the list, and the list fits a narrow dark screen', story, async () => {
    const body = { language: 'python' as const, code: 'import time; time.sleep(60)' }
    const { id } = await owner.call(routes.runs.create, { query: { wait: 'false' }, body })
    await page.goto('/executions?status=open')
    await rows().first().getByRole('button', { name: 'Actions for this run' }).click()
    await page.getByRole('menuitem', { name: 'Stop' }).click()
    await expect
      .poll(async () => (await owner.call(routes.runs.get, { params: { id } })).status, { timeout: 30_000 })
      .toBe('cancelled')
    const retried = await owner.call(routes.executions.retry, { params: { id }, body: {} })
    expect(retried).toMatchObject({ kind: 'run', retryOf: id, startedBy: { kind: 'person', door: 'studio' } })
    await owner.call(routes.runs.cancel, { params: { id: retried.id } })

    const dark = await studio.openWindow({ person: await studio.server.invite(owner, 'viewer'), colorScheme: 'dark' })
    await dark.setViewportSize({ width: 390, height: 800 })
    await dark.goto('/executions')
    const table = dark.getByRole('table', { name: 'Executions' })
    await table.getByText('Add these up').waitFor()
    await expect.poll(() => dark.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await expectAccessible(dark)
    await table.getByText('Add these up').click()
    await dark.getByRole('table', { name: 'Timeline' }).getByText('Step 2').waitFor()
    expect(await dark.getByRole('button', { name: 'Run again…' }).isDisabled()).toBe(true)
    await expectAccessible(dark)
    await dark.context().close()
  })
})
