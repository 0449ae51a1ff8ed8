// @vitest-environment happy-dom
import { File, Search, SquareTerminal } from 'lucide-react'
import { act, useEffect, useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { openPage } from '../../tests/open-page.tsx'
import { Dock } from './dock.tsx'
import { useWorkbench, type Bench } from './use-workbench.ts'
import { Workbench } from './workbench.tsx'

let made: string[] = []
let bench: Bench

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  made = []
})

/** A panel with a state of its own: how often it was pressed. */
function Counter({ name }: { name: string }) {
  const [count, setCount] = useState(() => (made.push(name), 0))
  return (
    <button type="button" aria-label={name} onClick={() => setCount(count + 1)}>
      {count}
    </button>
  )
}

function Page() {
  const own = useWorkbench('test', { panels: { left: 'files', bottom: 'output' } })
  useEffect(() => {
    bench = own
  })
  return (
    <Workbench
      bench={own}
      Dock={Dock}
      header={<h1>Thing</h1>}
      left={[
        { value: 'files', label: 'Files', icon: File, content: <Counter name="files" /> },
        { value: 'search', label: 'Search', icon: Search, content: <Counter name="search" /> },
      ]}
      bottom={[{ value: 'output', label: 'Output', icon: SquareTerminal, content: <Counter name="output" /> }]}
      centreLabel="Editor"
      status="Saved"
    >
      <Counter name="editor" />
    </Workbench>
  )
}

const press = (code: string, keys: Partial<KeyboardEventInit> = {}, target: Element = document.body) =>
  act(async () => {
    target.dispatchEvent(new KeyboardEvent('keydown', { code, key: code, bubbles: true, cancelable: true, ...keys }))
  })
const isShown = (name: string) => !document.querySelector(`[aria-label="${name}"]`)?.closest('[hidden]')
const separator = (side: string) => document.querySelector<HTMLElement>(`[aria-label="Resize the ${side} dock"]`)
const tab = (name: string) =>
  [...document.querySelectorAll('[role=tab]')].find(({ textContent }) => textContent === name)

test('Workbench makes a panel when it is first seen, and keeps its state behind other panels and shut docks', async () => {
  const page = await openPage(<Page />)
  expect(made).toEqual(['files', 'editor'])
  await page.press(page.button('files'))
  await page.press(tab('Search') as HTMLButtonElement)
  expect([isShown('files'), isShown('search'), made]).toEqual([false, true, ['files', 'editor', 'search']])
  await page.press(page.button('Close the left dock'))
  expect(isShown('search')).toBe(false)
  await act(async () => bench.show('left', 'files'))
  expect([isShown('files'), page.button('files').textContent, made.length]).toEqual([true, '1', 3])
})

test('Workbench opens and shuts docks with keys, but not with those of a shell', async () => {
  await openPage(<Page />)
  await press('KeyJ', { ctrlKey: true })
  expect(isShown('output')).toBe(true)
  await press('KeyB', { ctrlKey: true })
  expect(isShown('files')).toBe(false)
  const shell = document.body.appendChild(document.createElement('div'))
  shell.className = 'xterm'
  await press('KeyJ', { ctrlKey: true }, shell)
  shell.remove()
  expect(isShown('output')).toBe(true)
})

test('Workbench remembers for each kind which docks are open and how large they are', async () => {
  const first = await openPage(<Page />)
  await press('ArrowRight', {}, separator('left') as HTMLElement)
  expect(separator('left')?.getAttribute('aria-valuenow')).toBe('288')
  await press('Home', {}, separator('left') as HTMLElement)
  expect(separator('left')?.getAttribute('aria-valuenow')).toBe('180')
  await first.press(first.button('Open the bottom dock'))
  await openPage(<Page />)
  expect(bench.docks).toEqual({
    left: { isOpen: true, panel: 'files', sizePx: 180 },
    bottom: { isOpen: true, panel: 'output', sizePx: 280 },
    right: { isOpen: false, panel: '', sizePx: 400 },
  })
})

test('Workbench shows one region at a time on a narrow screen', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  await openPage(<Page />)
  const shown = () =>
    ['files', 'editor', 'output'].filter((name) => document.querySelector(`[aria-label=${name}]`) && isShown(name))
  const regions = [...document.querySelectorAll('[role=radio]')].map((one) => one.textContent)
  expect([regions, shown()]).toEqual([['Files', 'Editor', 'Output'], ['editor']])
  await act(async () => bench.show('bottom', 'output'))
  expect(shown()).toEqual(['output'])
  await act(async () => bench.hide('bottom'))
  expect(shown()).toEqual(['editor'])
})
