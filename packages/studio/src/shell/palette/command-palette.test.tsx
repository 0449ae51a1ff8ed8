// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test } from 'vitest'
import { openStudio } from '../../../tests/open-studio.tsx'

afterEach(() => localStorage.clear())

const field = () => document.querySelector<HTMLInputElement>('[role=combobox]')
const options = () => [...document.querySelectorAll('[role=option]')].map((one) => one.textContent)
const wait = (ms: number) => act(() => new Promise<void>((done) => setTimeout(done, ms)))

/** Waits inside act(), so that React has drawn what came. */
async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !isSo(); tries++) await wait(25)
  expect(isSo()).toBe(true)
}

async function type(text: string): Promise<void> {
  await act(async () => {
    const input = field()
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input?.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await wait(150)
}

test('the palette shows things that the server finds below commands, and Enter opens the marked one', async () => {
  const studio = await openStudio('/settings/profile')
  const found = { kind: 'file', id: 'wsp_1/a.py', title: 'src/welcome.py', where: 'Sales', url: '/design?file=a.py' }
  studio.queryClient.setQueryData(['search', 'welcom'], { items: [found] })
  studio.queryClient.setQueryData(['search', 'theme'], { items: [found] })
  await act(async () => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))
  })
  await until(() => field() !== null)
  await type('theme')
  expect(options().length).toBeGreaterThan(1)
  expect(options().at(-1)).toBe('src/welcome.pySales')
  await type('welcom')
  expect(options()).toEqual(['src/welcome.pySales'])
  await act(async () => {
    field()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  })
  await until(() => studio.address() === '/design?file=a.py')
})

test('a question mark lists the keys', async () => {
  const studio = await openStudio('/settings/profile')
  await studio.keys('?')
  await until(() => document.querySelector('[role=dialog]')?.textContent?.includes('Search everything') ?? false)
})
