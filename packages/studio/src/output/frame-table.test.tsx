// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { openPage } from '../../tests/open-page.tsx'
import { DisplayBlock } from './display-block.tsx'

const frame = {
  columns: [
    { name: 'n', type: 'int64' },
    { name: 'name', type: 'object' },
  ],
  rows: Array.from({ length: 1000 }, (_, at) => [at, at % 2 ? 'odd' : `even ${at}`]),
  total: 5000,
}
const bodyRows = () =>
  [...document.querySelectorAll('tbody tr:not([aria-hidden])')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent),
  )

test('DisplayBlock shows a frame as a table that is sorted, filtered and saved as CSV', async () => {
  const page = await openPage(
    <DisplayBlock data={{ 'text/html': '<table>', 'application/vnd.coherex.frame+json': frame }} />,
  )
  await expect.poll(() => bodyRows()[0]).toEqual(['0', 'even 0'])
  // only rows in sight are drawn
  expect(bodyRows().length).toBeLessThan(60)
  expect(document.body.textContent).toContain('1,000 of 5,000 rows')

  await page.press(page.button('n'))
  await page.press(page.button('n'))
  expect(bodyRows()[0]).toEqual(['999', 'odd'])
  expect(document.querySelector('th[aria-sort=descending]')?.textContent).toBe('n')

  await page.type(document.querySelector('input[aria-label="Filter rows"]') as HTMLInputElement, 'even 99')
  await expect.poll(() => document.body.textContent).toContain('5 of 1,000 rows match')
  expect(bodyRows().map(([n]) => n)).toEqual(['998', '996', '994', '992', '990'])

  const saved = vi.spyOn(URL, 'createObjectURL')
  await act(async () => page.button('CSV').click())
  const blob = saved.mock.calls[0]?.[0] as Blob
  const text = await blob.text()
  expect(text.split('\r\n').slice(0, 2)).toEqual(['n,name', '998,even 998'])
  saved.mockRestore()
})
