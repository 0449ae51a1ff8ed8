// @vitest-environment happy-dom
import { act, useState } from 'react'
import { expect, test } from 'vitest'
import { openPage } from '../../../../tests/open-page.tsx'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { ReplaceView } from './replace-view.tsx'

const live = { stored: async () => true } as unknown as LiveWorkspace
const query = { pattern: '(a|b)c', regex: true, matchCase: false, globs: '*.py' }

function Panel() {
  const [text, setText] = useState('')
  return <ReplaceView id="wsp_1" live={live} query={query} replacement={text} onReplacement={setText} />
}

test('ReplaceView has the server replace groups of a pattern, first as a preview', async () => {
  const page = await openPage(<Panel />)
  const field = document.querySelector('input')
  if (field) await page.type(field, '$1d')
  await page.press(page.button('Preview'))
  const asked = page.takeRequests().at(-1)
  expect(asked?.body).toEqual({ ...query, replacement: '$1d', preview: true })
  await asked?.answer(200, { version: 3, items: [{ path: 'x.py', count: 2, diff: '@@ -1 +1 @@\n-ac\n+ad\n' }] })
  await page.press(page.button('Replace 2 places in 1 file'))
  await act(() => new Promise((done) => setTimeout(done)))
  expect(page.takeRequests().find(({ path }) => path.endsWith('/replace'))?.body).toEqual({
    ...query,
    replacement: '$1d',
  })
})
