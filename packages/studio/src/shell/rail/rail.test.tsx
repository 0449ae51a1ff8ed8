// @vitest-environment happy-dom
import { CoherexError } from '@coherex/contract'
import { act } from 'react'
import { afterEach, expect, test } from 'vitest'
import { openStudio, type OpenStudio } from '../../../tests/open-studio.tsx'

afterEach(() => localStorage.clear())

const rail = () => document.querySelector('aside')
const entries = () => [...(rail()?.querySelectorAll('nav > ul a') ?? [])]
const current = () => entries().flatMap((one) => (one.getAttribute('aria-current') ? labelOf(one) : []))
const labelOf = (one: Element) => one.querySelector('span')?.textContent ?? ''
const section = (name: string) => [...(rail()?.querySelectorAll(`section[aria-label="${name}"] a`) ?? [])].map(labelOf)
const tell = (studio: OpenStudio, key: string[], data: unknown) =>
  act(async () => {
    studio.queryClient.setQueryData(key, data)
    // the cache tells of it in a turn of its own
    await new Promise((done) => setTimeout(done))
  })

test('the rail names seven places, and an entry is current on every page of its place', async () => {
  const studio = await openStudio('/')
  expect(entries().map(labelOf)).toEqual(['Home', 'Inbox', 'Chat', 'Workspaces', 'Library', 'Data', 'Activity'])
  const shown: Record<string, string[]> = {}
  for (const address of ['/', '/scratch', '/skills', '/agents/coder', '/secrets', '/runs/run_1', '/sandboxes']) {
    await studio.go(address)
    shown[address] = current()
  }
  expect(shown).toEqual({
    '/': ['Home'],
    '/scratch': ['Workspaces'],
    '/skills': ['Library'],
    '/agents/coder': ['Library'],
    '/secrets': ['Data'],
    '/runs/run_1': ['Activity'],
    '/sandboxes': ['Activity'],
  })
})

test('g and a letter go to pages, also by the letters of places that moved', async () => {
  const studio = await openStudio('/')
  const reached: string[] = []
  for (const key of ['k', 'p', 'r', 'b', 'x']) {
    await studio.keys('g', key)
    reached.push(studio.address())
  }
  expect(reached).toEqual(['/skills', '/inbox', '/executions?kind=code', '/sandboxes', '/scratch'])
})

test('things that were opened are recent, can be pinned, and go when they are gone', async () => {
  const studio = await openStudio('/workspaces/wsp_1')
  await tell(studio, ['workspace', 'wsp_1'], { id: 'wsp_1', name: 'Reports' })
  await studio.go('/workspaces/wsp_2')
  await tell(studio, ['workspace', 'wsp_2'], { id: 'wsp_2', name: 'Sales plot' })
  await studio.go('/')
  expect(section('Recent')).toEqual(['Sales plot', 'Reports'])
  await studio.press(studio.button('Pin Reports'))
  expect([section('Pinned'), section('Recent')]).toEqual([['Reports'], ['Sales plot']])

  // renamed since it was pinned, then deleted by somebody else
  await studio.go('/workspaces/wsp_1')
  await tell(studio, ['workspace', 'wsp_1'], { id: 'wsp_1', name: 'Monthly reports' })
  expect(section('Pinned')).toEqual(['Monthly reports'])
  await act(async () => {
    const query = studio.queryClient.getQueryCache().find({ queryKey: ['workspace', 'wsp_1'] })
    query?.setState({ ...query.state, status: 'error', error: new CoherexError('not_found', 'gone') })
    await new Promise((done) => setTimeout(done))
  })
  await studio.go('/')
  expect([section('Pinned'), section('Recent')]).toEqual([[], ['Sales plot']])
})

test('the rail folds by itself in a workbench, and whoever widens it there finds it wide on no other page', async () => {
  const isFolded = () => rail()?.className.split(' ').includes('w-14')
  const studio = await openStudio('/workspaces/wsp_1')
  expect(isFolded()).toBe(true)
  await studio.go('/inbox')
  expect(isFolded()).toBe(false)
  await studio.keys('[')
  expect(isFolded()).toBe(true)
  await studio.go('/workspaces/wsp_1')
  await studio.keys('[')
  expect(isFolded()).toBe(false)
  await studio.go('/inbox')
  expect(isFolded()).toBe(true)
})
