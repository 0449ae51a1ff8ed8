// @vitest-environment happy-dom
import type { Fix } from '@coherex/contract'
import { expect, test, vi } from 'vitest'
import { openPage } from '../../tests/open-page.tsx'
import { Fixes } from './fixes.tsx'

const fixes: Fix[] = [
  { kind: 'allow-host', value: 'https://api.example.com/', label: 'Allow api.example.com and run again' },
  { kind: 'give-stdin', value: '', label: 'Give standard input' },
  { kind: 'install-language', value: 'apt-get install -y ruby', label: 'Install Ruby on the server' },
]

test('Fixes acts with the host that its button names, and asks for standard input before it acts', async () => {
  const onFix = vi.fn()
  const page = await openPage(<Fixes fixes={fixes} onFix={onFix} />)
  await page.press(page.button('Allow api.example.com and run again'))
  expect(onFix.mock.calls).toEqual([[fixes[0]]])
  await page.press(page.button('Give standard input'))
  expect(onFix).toHaveBeenCalledOnce()
  const input = document.querySelector<HTMLTextAreaElement>('[aria-label="Standard input"]')
  await page.type(input!, 'ada')
  await page.press(page.button('Run again with this input'))
  expect(onFix.mock.calls[1]).toEqual([fixes[1], 'ada'])
  expect(document.querySelector('output[aria-label="Install Ruby on the server"]')?.textContent).toBe(fixes[2]?.value)
})

test('Fixes takes no second press while one is carried out', async () => {
  const onFix = vi.fn()
  const page = await openPage(<Fixes fixes={fixes.slice(0, 1)} onFix={onFix} busy />)
  await page.press(page.button('Allow api.example.com and run again'))
  expect(onFix).not.toHaveBeenCalled()
})
