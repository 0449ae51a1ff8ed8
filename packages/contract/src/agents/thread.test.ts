import { expect, test } from 'vitest'
import { threadImport } from './thread.ts'

const file = (messages: number, parts: number) => ({
  kind: 'coherex-thread',
  version: 1,
  agent: 'a',
  title: 't',
  messages: Array.from({ length: messages }, (_, at) => ({
    id: String(at),
    parentId: null,
    role: 'user',
    parts: Array(parts).fill({ type: 'unheard-of' }),
    createdAt: '2026-01-01T00:00:00.000Z',
    createdBy: 'Ann',
  })),
})

test('threadImport counts the parts of all messages before it looks at any', () => {
  expect(threadImport.safeParse(file(2, 10)).error?.issues).toHaveLength(20)
  expect(threadImport.safeParse(file(21, 1_000)).error?.issues).toMatchObject([
    { path: ['messages'], message: 'must not have more than 20000 parts in all messages' },
  ])
  expect(threadImport.safeParse({ ...file(0, 0), messages: [null, { parts: 'text' }, 1] }).success).toBe(false)
})
