// @vitest-environment happy-dom
import type { Message, Thread } from '@coherex/contract'
import { act, useMemo, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { openPage } from '../../../tests/open-page.tsx'
import { Composer } from './composer/composer.tsx'
import { MessageList, type MessageActions } from './message-list.tsx'
import * as user from './message/user-message.tsx'

const at = '2026-01-01T00:00:00.000Z'
const by = { id: 'per_1', name: 'Olga' }
const idOf = (index: number) => `msg_${String(index).padStart(20, '0')}`
const messages = Array.from({ length: 200 }, (_, index): Message => {
  const rest = { id: idOf(index), parentId: index === 0 ? null : idOf(index - 1), siblings: [], turnId: null }
  return { ...rest, role: 'user', parts: [{ type: 'text', text: `Word ${index}` }], createdAt: at, createdBy: by }
})
const thread = { workspaceId: null } as Thread
const actions: MessageActions = {
  edit: async () => true,
  show: () => undefined,
  regenerate: () => undefined,
  continue: () => undefined,
}
const drawn = () => [...document.querySelectorAll('[data-message]')].map(({ id }) => id)
const list = (shown: readonly Message[]) => (
  <MessageList {...{ thread, messages: shown, turns: [], isBusy: false, isLocked: false, actions, saidCount: 0 }}>
    {null}
  </MessageList>
)

test('a thread of 200 messages draws the last ones, and earlier ones when the reader comes near or searches', async () => {
  await openPage(list(messages))
  expect(drawn()).toEqual(messages.slice(170).map(({ id }) => id))
  expect(document.querySelectorAll('*').length).toBeLessThan(1_500)
  expect(document.body.textContent).toContain('170 earlier messages')
  const log = document.querySelector('[role=log]')
  await act(async () => log?.dispatchEvent(new Event('scroll')))
  expect(drawn().length).toBe(60)
  await act(async () => dispatchEvent(new KeyboardEvent('keydown', { key: 'f', ctrlKey: true })))
  expect(drawn().length).toBe(200)
})

test('a link to an early message draws it', async () => {
  vi.stubGlobal('location', { hash: `#${idOf(20)}` })
  await openPage(list(messages))
  expect(drawn()).toContain(idOf(20))
})

test('typing draws no message again, and a new message draws only itself', async () => {
  const draw = vi.spyOn(user, 'UserMessage')
  function Page() {
    const [count, setCount] = useState(10)
    const shown = useMemo(() => messages.slice(0, count), [count])
    return (
      <>
        <button type="button" onClick={() => setCount(count + 1)}>
          Add
        </button>
        {list(shown)}
        <Composer draftName="x" label="Message" placeholder="" onSend={async () => true} />
      </>
    )
  }
  const page = await openPage(<Page />)
  draw.mockClear()
  const area = document.querySelector('textarea')
  if (!area) throw new Error('there is no place to write')
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(area, 'Hello')
    area.dispatchEvent(new Event('input', { bubbles: true }))
  })
  expect([area.value, draw.mock.calls.length]).toEqual(['Hello', 0])
  await page.press(page.button('Add'))
  expect(draw.mock.calls.map(([{ message }]) => message.id)).toEqual([idOf(10)])
})
