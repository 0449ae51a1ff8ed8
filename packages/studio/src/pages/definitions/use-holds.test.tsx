// @vitest-environment happy-dom
import type { Me } from '@coherex/contract'
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { me, openPage } from '../../../tests/open-page.tsx'
import { meQuery } from '../../data/access/me.ts'
import { createQueryClient } from '../../data/query/query-client.ts'
import { useHolds } from './use-holds.ts'

function Holds({ owner }: { owner: string }) {
  return <p>{useHolds({ owner: { id: owner } }) ? 'yes' : 'no'}</p>
}

test.each([
  ['owner', 'per_2', 'yes'],
  ['admin', 'per_2', 'yes'],
  ['editor', 'per_1', 'yes'],
  ['editor', 'per_2', 'no'],
  ['viewer', 'per_1', 'no'],
] as const)('useHolds() of a person who is %s and a definition of %s: %s', async (role, owner, expected) => {
  const queryClient = createQueryClient()
  await openPage(<Holds owner={owner} />, queryClient)
  await act(async () => void queryClient.setQueryData(meQuery.queryKey, { ...me, role } as Me))
  await vi.waitFor(() => expect(document.querySelector('p')?.textContent).toBe(expected))
})
