import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { refetchNouns } from './noun.ts'

/** Something shown that is answered when the test says so. */
function show(queryKey: readonly string[]) {
  const queryClient = new QueryClient()
  const asked: ((answer: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => asked.push(resolve))
  const observer = new QueryObserver(queryClient, { queryKey, queryFn })
  observer.subscribe(() => undefined)
  return { queryClient, asked, shown: () => observer.getCurrentResult().data }
}

test('a change that comes before the first answer is asked for when that is there', async () => {
  const { queryClient, asked, shown } = show(['run', 'list'])
  const changes = [refetchNouns(queryClient, ['run']), refetchNouns(queryClient, ['run', 'execution'])]
  asked[0]?.('before the change')
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.('after it')
  await Promise.all(changes)
  expect([asked.length, shown()]).toEqual([2, 'after it'])
})

test('what has an answer is asked for at once, and what is of something else is not', async () => {
  const { queryClient, asked, shown } = show(['file', 'wsp_1'])
  asked[0]?.('first')
  await expect.poll(shown).toBe('first')
  await refetchNouns(queryClient, ['run'])
  await refetchNouns(queryClient, ['file'], 'wsp_2')
  expect(asked.length).toBe(1)
  const change = refetchNouns(queryClient, ['file'], 'wsp_1')
  expect(asked.length).toBe(2)
  asked[1]?.('second')
  await change
  expect(shown()).toBe('second')
})
