// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { openPage } from '../../tests/open-page.tsx'
import { IconButton } from './icon-button.tsx'
import './tooltip-popup.tsx'

const shown = () => document.querySelector('[data-base-ui-portal]')?.textContent ?? ''
const pointer = (target: Element, type: string) =>
  act(async () => void target.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: 'mouse' })))
/** Turns of the page until it is so. */
async function settle(isSo: () => boolean) {
  for (let turns = 0; turns < 100 && !isSo(); turns++) await act(() => new Promise((done) => setTimeout(done, 20)))
}

test('Tooltip shows its text while the pointer rests on its button, which keeps its own handlers', async () => {
  const own = vi.fn()
  const page = await openPage(<IconButton label="Copy" icon={null} onPointerEnter={own} />)
  const button = page.button('Copy')
  // React makes an entering of it
  await pointer(button, 'pointerover')
  expect(own).toHaveBeenCalledOnce()
  await settle(() => shown() !== '')
  expect(shown()).toBe('Copy')
  expect(page.button('Copy')).toBe(button)
  await pointer(document.body, 'pointerover')
  await settle(() => shown() === '')
  expect(shown()).toBe('')
})

test('Tooltip shows nothing of a button that the pointer only crossed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const page = await openPage(<IconButton label="Copy" icon={null} />)
    await pointer(page.button('Copy'), 'pointerover')
    await pointer(page.button('Copy'), 'pointerout')
    await act(async () => void vi.advanceTimersByTime(1_000))
    expect(shown()).toBe('')
  } finally {
    vi.useRealTimers()
  }
})
