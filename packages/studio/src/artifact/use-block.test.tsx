// @vitest-environment happy-dom
import type { Artifact, FoundFence } from '@coherex/contract'
import { act, useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { openPage, type AskedRequest } from '../../tests/open-page.tsx'
import { useBlock } from './use-block.ts'

const place = { threadId: 'thr_1', messageId: 'msg_1', index: 0 }
const fence: FoundFence = { index: 0, kind: 'code', language: 'python', title: null, opens: false, code: 'x = 1' }
const artifact: Artifact = {
  ...{ id: 'art_1', ...place, kind: 'code', language: 'python', title: null, code: 'x = 1', version: 1, runId: null },
  ...{ reach: 'team', updatedAt: '2026-01-01T00:00:00.000Z', updatedBy: { id: 'per_1', name: 'Olga' } },
}

function Editor() {
  const block = useBlock({ place, fence, artifact }, { isEditing: false })
  return (
    <>
      <textarea aria-label="Code" value={block.code} onChange={({ target }) => block.type(target.value)} />
      {block.problem}
    </>
  )
}

function Page() {
  const [isShown, setShown] = useState(true)
  return (
    <>
      <button onClick={() => setShown(!isShown)}>Leave</button>
      {isShown && <Editor />}
    </>
  )
}

const area = () => document.querySelector('textarea') as HTMLTextAreaElement
const saves = (requests: AskedRequest[]) => requests.filter(({ method }) => method.toLowerCase() === 'put')

beforeEach(() => localStorage.clear())

test('useBlock saves what is typed when the block leaves the page', async () => {
  const page = await openPage(<Page />)
  await page.type(area(), 'x = 2')
  await page.press(page.button('Leave'))
  const [save] = saves(page.takeRequests())
  expect({ path: save?.path, body: save?.body }).toEqual({
    path: '/api/v1/artifacts/art_1',
    body: { code: 'x = 2', base: 'x = 1', expectedVersion: 1 },
  })
  await act(async () => save?.answer(200, { ...artifact, code: 'x = 2', version: 2 }))
  expect(Object.keys(localStorage).filter((key) => key.includes('draft.block'))).toEqual([])
})

test('useBlock shows and saves the draft that a reload left', async () => {
  localStorage.setItem('coherex.draft.block.msg_1.0', JSON.stringify({ code: 'x = 3', base: 'x = 1' }))
  const page = await openPage(<Page />)
  expect(area().value).toBe('x = 3')
  const [save] = saves(page.takeRequests())
  expect(save?.body).toEqual({ code: 'x = 3', base: 'x = 1', expectedVersion: 1 })
  await save?.answer(503, { error: { code: 'conflict', message: 'It is at version 2' } })
  expect(area().value).toBe('x = 3')
  expect(localStorage.getItem('coherex.draft.block.msg_1.0')).toContain('x = 3')
})

test('useBlock keeps what is typed as a draft before it is saved', async () => {
  const page = await openPage(<Page />)
  await page.type(area(), 'x = 4')
  expect(page.takeRequests()).toEqual([])
  expect(localStorage.getItem('coherex.draft.block.msg_1.0')).toBe(JSON.stringify({ code: 'x = 4', base: 'x = 1' }))
})

test('useBlock saves what is typed during a save over what it sent, so that lines of somebody else stay', async () => {
  const page = await openPage(<Page />)
  await page.type(area(), 'x = 2')
  const nextSave = () => expect.poll(() => (asked = saves(page.takeRequests())[0] ?? asked), { timeout: 5_000 })
  let asked: AskedRequest | undefined
  await nextSave().toMatchObject({ body: { code: 'x = 2', base: 'x = 1' } })
  const first = asked
  await page.type(area(), 'x = 23')
  await first?.answer(200, { ...artifact, code: 'y = 0\nx = 2', version: 3 })
  await nextSave().toMatchObject({ body: { code: 'x = 23', base: 'x = 2' } })
  await asked?.answer(200, { ...artifact, code: 'y = 0\nx = 23', version: 4 })
  expect(localStorage.getItem('coherex.draft.block.msg_1.0')).toBeNull()
})
