// @vitest-environment happy-dom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act } from 'react'
import { afterEach, expect, test } from 'vitest'
import { openPage } from '../../../tests/open-page.tsx'
import { FirstMessage } from './first-message.tsx'

afterEach(() => localStorage.clear())

const area = () => document.querySelector<HTMLTextAreaElement>('textarea[aria-label=Message]')
const hasPickers = () => document.querySelector('[aria-label=Agent]') !== null

test('FirstMessage becomes the composer when it is focused, with the words and the focus', async () => {
  const router = createRouter({
    routeTree: createRootRoute({ component: FirstMessage }),
    history: createMemoryHistory(),
  })
  await router.load()
  const page = await openPage(<RouterProvider router={router} />)
  // nothing of the composer is asked for by those who only look
  expect([page.takeRequests(), hasPickers()]).toEqual([[], false])
  const first = area()
  await act(async () => first?.focus())
  if (first) await page.type(first, 'Add up')
  for (let turns = 0; turns < 500 && !hasPickers(); turns++)
    await act(() => new Promise((done) => setTimeout(done, 20)))
  expect([hasPickers(), area()?.value, document.activeElement === area(), area() === first]).toEqual([
    true,
    'Add up',
    true,
    false,
  ])
})
