// @vitest-environment happy-dom
import { createMemoryHistory } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { me } from '../tests/open-page.tsx'
import { meQuery } from './data/access/me.ts'
import { createQueryClient } from './data/query/query-client.ts'
import { newAddress, oldAddresses } from './old-addresses.ts'
import { createStudioRouter } from './router.tsx'

test.each(oldAddresses)('$from leads to $to, which is a page', async ({ from, to }) => {
  const queryClient = createQueryClient()
  queryClient.setQueryData(meQuery.queryKey, me)
  const router = createStudioRouter(queryClient, createMemoryHistory({ initialEntries: ['/threads', from] }))
  await router.load()
  expect([router.state.location.pathname, router.state.matches.at(-1)?.fullPath]).toEqual([to, to])
})

test('newAddress() turns the filters of the list of runs into those of executions', () => {
  expect(newAddress('/runs', { status: 'failed', mine: true, run: 'run_1' })).toBe(
    '/executions?kind=code&status=failed&by=me&open=run_1',
  )
  expect(newAddress('/settings/secrets/', { create: true })).toBe('/secrets?create=true')
  expect(newAddress('/runs/run_1', {})).toBeUndefined()
})
