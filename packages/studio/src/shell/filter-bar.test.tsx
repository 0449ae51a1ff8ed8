// @vitest-environment happy-dom
import { useState } from 'react'
import { expect, test } from 'vitest'
import { openPage } from '../../tests/open-page.tsx'
import { compactFilters } from './address-filters.ts'
import { FilterBar, type Filter } from './filter-bar.tsx'

interface Filters {
  search?: string
  status?: string
  agent?: string
  mine?: true
}

const filters: Filter<keyof Filters>[] = [
  { kind: 'search', key: 'search', name: 'Text', label: 'Search' },
  { kind: 'select', key: 'status', name: 'Status', all: 'Any status', values: ['failed'], names: { failed: 'Broke' } },
  { kind: 'select', key: 'agent', name: 'Agent', all: 'Any agent', values: ['greeter'], isRare: true },
  { kind: 'switch', key: 'mine', name: 'By', label: 'Only mine', value: 'me' },
]

function List({ begin }: { begin: Filters }) {
  const [values, setValues] = useState(begin)
  return (
    <>
      <FilterBar
        filters={filters}
        values={values}
        onChange={(change) => setValues(compactFilters<Filters>({ ...values, ...change }))}
        onClear={() => setValues({})}
      />
      <output>{JSON.stringify(values)}</output>
    </>
  )
}

const chips = () =>
  [...document.querySelectorAll('[aria-label^="Remove filter"]')].map((one) => one.getAttribute('aria-label'))
const values = () => JSON.parse(document.querySelector('output')?.textContent ?? '') as Filters

test('FilterBar shows a chip for each filter that is on, and a chip takes its filter off', async () => {
  const page = await openPage(<List begin={{ search: 'tax', status: 'failed', mine: true }} />)
  expect(chips()).toEqual(['Remove filter Text tax', 'Remove filter Status Broke', 'Remove filter By me'])
  await page.press(page.button('Remove filter Status Broke'))
  expect(values()).toEqual({ search: 'tax', mine: true })
  await page.press(page.button('Clear all'))
  expect([chips(), values()]).toEqual([[], {}])
})

test('FilterBar shows a rare filter once somebody asks for more filters', async () => {
  const page = await openPage(<List begin={{}} />)
  const hasAgent = () => document.body.textContent?.includes('Any agent')
  expect(hasAgent()).toBe(false)
  await page.press(page.button('More filters'))
  expect(hasAgent()).toBe(true)
})

test('FilterBar shows a rare filter that is on, also when what it names was deleted', async () => {
  await openPage(<List begin={{ agent: 'gone' }} />)
  expect(chips()).toEqual(['Remove filter Agent gone'])
  expect(document.body.textContent).not.toContain('More filters')
})
