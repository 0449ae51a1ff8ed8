// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { openStudio } from '../../../tests/open-studio.tsx'

const greet = {
  ...{ name: 'greet', description: 'Greets somebody', language: 'python', status: 'published', deprecation: null },
  ...{ tags: ['words'], owner: { id: 'per_1', name: 'Olga Owner' }, reach: 'team', version: 2, newestVersion: 3 },
  ...{ calls: [0, 2, 1, ...Array.from({ length: 11 }, () => 0)], updatedAt: '2026-01-01T00:00:00.000Z' },
}

test('the list of tools asks by the filters of its address, and says calls to whoever cannot see bars', async () => {
  const studio = await openStudio('/tools?search=gre&language=python&status=published&owner=me&tag=words&colour=red')
  const asked = studio.takeRequests().find(({ path }) => path.startsWith('/api/v1/tools?'))
  expect(Object.fromEntries(new URL(asked?.path ?? '', 'http://studio').searchParams)).toEqual({
    ...{ search: 'gre', language: 'python', status: 'published', owner: 'per_1', tag: 'words', limit: '100' },
  })
  await asked?.answer(200, { items: [greet], nextCursor: null })
  const row = document.querySelector('table[aria-label=Tools] tbody tr')
  expect(row?.querySelector('svg[role=img]')?.getAttribute('aria-label')).toBe('3 calls in 14 days')
  expect(row?.querySelector('a')?.getAttribute('href')).toBe('/tools/greet')

  await studio.press(studio.button('Clear all'))
  expect(studio.address()).toBe('/tools')
})

test('without tools the list has the one action that makes one', async () => {
  const studio = await openStudio('/tools')
  const asked = studio.takeRequests().find(({ path }) => path.startsWith('/api/v1/tools?'))
  await asked?.answer(200, { items: [], nextCursor: null })
  expect(document.body.textContent).toContain('No tools yet')
  await studio.press(studio.button('New tool'))
  expect(studio.address()).toBe('/tools?create=true')
  await studio.type(studio.field('Name'), 'greet')
  await studio.press(studio.button('Create tool'))
  const taken = studio.takeRequests().find(({ path }) => path === '/api/v1/tools/greet')
  await taken?.answer(200, { ...greet, current: {} })
  expect(document.body.textContent).toContain('There is a tool greet already')
})
