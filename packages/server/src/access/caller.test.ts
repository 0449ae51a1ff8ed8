import { roles, scopes, type Role, type Scope } from '@coherex/contract'
import { expect, test } from 'vitest'
import { checkAccess, type Caller } from './caller.ts'

const caller = (change: Partial<Caller>): Caller => ({
  ip: null,
  requestId: null,
  person: { id: 'per_1', name: 'P', email: 'p@example.com', operator: false },
  setupDone: true,
  teamId: 'team_1',
  role: 'owner',
  via: 'session',
  credentialId: 'ses_1',
  scopes,
  ...change,
})

const passes = (...[access, who]: Parameters<typeof checkAccess>) => {
  try {
    checkAccess(access, who)
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'forbidden' })
    return false
  }
}

test('a role is enough from itself upwards', () => {
  const table = roles.map((needed) => roles.map((role) => passes({ role: needed, scope: 'read' }, caller({ role }))))
  expect(table).toEqual([
    [true, true, true, true],
    [false, true, true, true],
    [false, false, true, true],
    [false, false, false, true],
  ])
})

test('run and write each bring read, admin brings all, nothing else brings anything', () => {
  const keyWith = (scope: Scope) => caller({ via: 'key', scopes: [scope] })
  const table = scopes.map((needed) => scopes.map((held) => passes({ role: 'viewer', scope: needed }, keyWith(held))))
  expect(table).toEqual([
    [true, true, true, true],
    [false, true, false, true],
    [false, false, true, true],
    [false, false, false, true],
  ])
})

test('a key never does more than its person’s role, whatever its scopes', () => {
  const key = (role: Role) => caller({ via: 'key', role, scopes: ['admin'] })
  expect(passes({ role: 'admin', scope: 'admin' }, key('editor'))).toBe(false)
})

test('whoever is in no team does nothing in one', () => {
  expect(passes({ role: 'viewer', scope: 'read' }, caller({ teamId: null, role: null }))).toBe(false)
})

test('an owner is no operator, and an operator needs an admin key', () => {
  const person = { id: 'per_1', name: 'P', email: 'p@example.com', operator: true }
  expect(passes('operator', caller({}))).toBe(false)
  expect(passes('operator', caller({ person }))).toBe(true)
  expect(passes('operator', caller({ person, via: 'key', scopes: ['read', 'run', 'write'] }))).toBe(false)
})
