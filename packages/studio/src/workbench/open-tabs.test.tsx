// @vitest-environment happy-dom
import { act, useEffect, useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { openPage } from '../../tests/open-page.tsx'
import { OpenTabs } from './open-tabs.tsx'
import { withTab, useOpenTabs } from './use-open-tabs.ts'

let open: (value: string | undefined) => void
let tabs: ReturnType<typeof useOpenTabs>

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

function Page() {
  const [active, setActive] = useState<string>()
  // as with an address, what is picked is active a moment later
  const made = useOpenTabs({
    name: 'test',
    active,
    onPick: (next) => void Promise.resolve().then(() => setActive(next)),
  })
  useEffect(() => {
    open = setActive
    tabs = made
  }, [made])
  return (
    <OpenTabs
      label="Open files"
      tabs={made.values.map((value) => ({ value, label: value, title: value }))}
      active={active}
      onPick={setActive}
      onClose={made.close}
    />
  )
}

const show = (value: string) => act(async () => open(value))
const names = () => [...document.querySelectorAll('[data-tab]')].map((one) => one.textContent)
const active = () => document.querySelector('[aria-current]')?.textContent

test('OpenTabs opens a tab after the active one, and closing goes to the neighbour', async () => {
  const page = await openPage(<Page />)
  for (const value of ['a', 'b', 'a', 'c']) await show(value)
  expect([names(), active()]).toEqual([['a', 'c', 'b'], 'c'])
  await page.press(page.button('Close c'))
  expect([names(), active()]).toEqual([['a', 'b'], 'b'])
  const middle = new MouseEvent('auxclick', { button: 1, bubbles: true })
  await act(async () => document.querySelector('li')?.dispatchEvent(middle))
  await act(async () => document.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyW', altKey: true })))
  expect([names(), active()]).toEqual([[], undefined])
})

test('OpenTabs remembers what is open, and follows files that are moved and deleted', async () => {
  await openPage(<Page />)
  for (const value of ['src/a', 'src/b', 'other']) await show(value)
  await act(async () => tabs.move('src', 'lib'))
  expect(names()).toEqual(['lib/a', 'lib/b', 'other'])
  await act(async () => tabs.remove('lib/a'))
  await openPage(<Page />)
  expect(tabs.values).toEqual(['lib/b', 'other'])
})

test('withTab() drops the oldest of more than thirty tabs', () => {
  const many = Array.from({ length: 30 }, (_, index) => `f${index}`)
  const next = withTab(many, 'f29', 'new')
  expect([next.length, next[0], next.at(-1)]).toEqual([30, 'f1', 'new'])
})
