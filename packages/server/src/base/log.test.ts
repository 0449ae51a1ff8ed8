import { expect, test } from 'vitest'
import { describeError } from './log.ts'

test('an error of a statement says neither the statement nor its values', () => {
  const cause = Object.assign(new Error('duplicate key value violates unique constraint "x"'), { code: '23505' })
  const error = Object.assign(new Error('Failed query: insert into t values ($1)\nparams: sk-secret', { cause }), {
    query: 'insert into t values ($1)',
    params: ['sk-secret'],
  })
  const described = describeError(error)
  expect(JSON.stringify(described)).not.toMatch(/sk-secret|insert into/)
  expect(described).toMatchObject({ message: 'a statement failed', cause: { code: '23505' } })
})

test.each([
  ['connect ENOENT /var/lib/coherex/postgres/.s.PGSQL.5432', 'connect ENOENT …/.s.PGSQL.5432'],
  ["ENOENT: no such file, open '/home/ann/secret.key'", "ENOENT: no such file, open '…/secret.key'"],
  ['cannot reach postgres://coherex:hunter2@db:5432/coherex', 'cannot reach postgres://…@db:5432/coherex'],
  ['import of file:///srv/coherex/main.ts failed', 'import of …/main.ts failed'],
  ['GET https://api.example.com/v1/things failed', 'GET https://api.example.com/v1/things failed'],
  ['1/2 of it and/or more', '1/2 of it and/or more'],
])('%s is told as %s', (message, told) => {
  expect(describeError(new Error(message)).message).toBe(told)
})

test('where it happened is told by our own files, without where they are installed', () => {
  const { frames } = describeError(new Error('here'))
  expect(frames?.[0]).toMatch(/packages\/server\/src\/base\/log\.test\.ts:\d+:\d+$/)
  expect(JSON.stringify(frames)).not.toContain(process.cwd())
})

test('what was thrown and is no error says what it says', () => {
  expect(describeError({ message: 'cannot reach /run/db' })).toEqual({ type: 'object', message: 'cannot reach …/db' })
  expect(describeError('gone')).toEqual({ type: 'string', message: 'gone' })
})
