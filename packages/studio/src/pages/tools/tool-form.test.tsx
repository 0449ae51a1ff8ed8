// @vitest-environment happy-dom
import { act, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { openPage } from '../../../tests/open-page.tsx'
import { ToolForm } from './tool-form.tsx'

const yaml = 'kind: tool\nname: greet\nlanguage: python\nentry: main.py\npackages:\n  - polars>=1,<2\n'

function Page({ canEdit = true }: { canEdit?: boolean }) {
  const [source, setSource] = useState(yaml)
  return (
    <>
      <ToolForm source={source} canEdit={canEdit} onChange={setSource} />
      <output>{source}</output>
    </>
  )
}

test('ToolForm adds and removes packages of tool.yaml with PackagesField', async () => {
  const page = await openPage(<Page />)
  const chips = () =>
    [...document.querySelectorAll('[aria-label="Packages asked for"] > li > span:first-child')].map(
      (one) => one.textContent,
    )
  await vi.waitFor(
    async () => {
      await act(async () => undefined)
      expect(chips()).toEqual(['polars>=1,<2'])
    },
    { timeout: 10_000 },
  )
  await page.type(page.field('Packages'), 'httpx')
  await act(async () => {
    page.field('Packages').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  })
  expect(document.querySelector('output')?.textContent).toContain('packages:\n  - polars>=1,<2\n  - httpx\n')
  await page.press(page.button('Remove polars'))
  await page.press(page.button('Remove httpx'))
  expect(document.querySelector('output')?.textContent).not.toContain('packages')
})

test('ToolForm shows packages to whoever may not change them', async () => {
  const page = await openPage(<Page canEdit={false} />)
  expect([page.field('Packages').value, page.field('Packages').readOnly]).toEqual(['polars>=1,<2', true])
})
