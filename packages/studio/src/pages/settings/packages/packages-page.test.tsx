// @vitest-environment happy-dom
import { defaultPackagePolicy, type Me } from '@coherex/contract'
import { act } from 'react'
import { expect, test } from 'vitest'
import { me } from '../../../../tests/open-page.tsx'
import { openStudio } from '../../../../tests/open-studio.tsx'
import { meQuery } from '../../../data/access/me.ts'

const set = {
  hash: 'a'.repeat(64),
  language: 'python',
  requirements: ['polars>=1'],
  packages: [{ name: 'polars', version: '1.9.0', integrity: 'sha256-a', size: 32_000_000 }],
  diskBytes: 120_000_000,
  askedBy: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUsedAt: '2026-01-02T00:00:00.000Z',
  usedBy: [],
}
const used = {
  ...set,
  hash: 'b'.repeat(64),
  requirements: ['zod'],
  usedBy: [{ kind: 'workspace', id: 'wsp_1', name: 'Report' }],
}

const editor: Me = { ...me, role: 'editor' }

async function openPackages(items: unknown[]) {
  const studio = await openStudio('/settings/packages')
  for (const request of studio.takeRequests()) {
    if (request.path.startsWith('/api/v1/packages/policy')) await request.answer(200, defaultPackagePolicy)
    else if (request.path.startsWith('/api/v1/packages')) await request.answer(200, { items, nextCursor: null })
  }
  return studio
}
const of = (requests: ReturnType<Awaited<ReturnType<typeof openStudio>>['takeRequests']>, method: string) =>
  requests.find((request) => request.method.toLowerCase() === method && request.path.startsWith('/api/v1/packages'))

test('Settings › Packages sets the rules of the team, with a list where only listed packages are allowed', async () => {
  const studio = await openPackages([])
  expect(document.body.textContent).toContain('No sets yet')
  await act(async () => document.querySelector<HTMLElement>('[role=radio][aria-label=Listed]')?.click())
  await studio.press(studio.button('Save rules'))
  expect(of(studio.takeRequests(), 'put')).toBeUndefined()
  expect(document.body.textContent).toContain('List at least one package')
  await studio.type(studio.field('Allowed packages'), '@types/*\npolars >= 1')
  await studio.type(studio.field('Minimum age of a release, in days'), '7')
  await studio.press(studio.button('Save rules'))
  const sent = of(studio.takeRequests(), 'put')
  expect(sent?.body).toEqual({
    ...defaultPackagePolicy,
    mode: 'listed',
    allow: ['@types/*', 'polars>=1'],
    minimumAgeDays: 7,
  })
})

test('Settings › Packages deletes a set that nothing uses after asking, and no other', async () => {
  const studio = await openPackages([set, used])
  expect(studio.button('Delete zod').disabled).toBe(true)
  await studio.press(studio.button('Delete polars>=1'))
  await studio.press(studio.button('Delete set'))
  expect(of(studio.takeRequests(), 'delete')?.path).toBe(`/api/v1/packages/${set.hash}`)
})

test('Settings › Packages shows editors the rules and sets without the buttons that change them', async () => {
  const studio = await openPackages([set])
  await act(async () => {
    studio.queryClient.setQueryData(meQuery.queryKey, editor)
    await new Promise((done) => setTimeout(done))
  })
  expect(document.body.textContent).toContain('At least 2 days')
  expect(() => studio.button('Save rules')).toThrow()
  expect(() => studio.button('Prune…')).toThrow()
  expect(() => studio.button('Delete polars>=1')).toThrow()
})
