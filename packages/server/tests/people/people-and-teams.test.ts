import { routes } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
})
afterAll(() => server.stop())

describe('the first owner', () => {
  test('is signed in by the printed link, once, and sets themselves up', async () => {
    expect(owner.me).toMatchObject({
      person: { name: 'Olga Owner', operator: true },
      role: 'owner',
      setupDone: true,
      team: { name: 'First team' },
    })
    await expect(
      owner.call(routes.signIn.finishSetup, {
        body: { name: 'X', email: 'x@example.com', password: 'x'.repeat(10), teamName: 'X' },
      }),
    ).rejects.toMatchObject({ code: 'conflict' })
  })

  test('signs in with the chosen password in another browser', async () => {
    const other = server.browser()
    const me = await other.call(routes.signIn.withPassword, { body: { email: owner.email, password: owner.password } })
    expect(me.person).toEqual(owner.me.person)
  })
})

describe('invitations', () => {
  test('bring a new person into the team with the given role, once', async () => {
    const { link } = await owner.call(routes.teams.invite, { body: { email: 'eve@example.com', role: 'editor' } })
    const token = link?.split('/').at(-1) ?? ''
    const eve = server.browser()
    expect(await eve.call(routes.teams.previewInvitation, { body: { token } })).toEqual({
      teamName: 'First team',
      email: 'eve@example.com',
      role: 'editor',
      personExists: false,
    })
    const me = await eve.call(routes.teams.acceptInvitation, {
      body: { token, name: 'Eve', password: 'eve likes long words' },
    })
    expect(me).toMatchObject({
      person: { name: 'Eve', operator: false },
      role: 'editor',
      teams: [{ name: 'First team' }],
    })
    await expect(server.browser().call(routes.teams.previewInvitation, { body: { token } })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('for someone who exists take their own session', async () => {
    const viewer = await server.invite(owner, 'viewer')
    const second = await server.invite(owner, 'editor')
    const team = await second.call(routes.teams.create, { body: { name: 'Second team' } })
    await second.call(routes.signIn.switchTeam, { body: { teamId: team.id } })
    const { link } = await second.call(routes.teams.invite, { body: { email: viewer.email, role: 'admin' } })
    const token = link?.split('/').at(-1) ?? ''
    await expect(server.browser().call(routes.teams.acceptInvitation, { body: { token } })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    await expect(owner.call(routes.teams.acceptInvitation, { body: { token } })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    const me = await viewer.call(routes.teams.acceptInvitation, { body: { token } })
    expect(me.teams.map((one) => [one.name, one.role])).toEqual([
      ['First team', 'viewer'],
      ['Second team', 'admin'],
    ])
  })

  test('cannot give more than the inviter has', async () => {
    const admin = await server.invite(owner, 'admin')
    await expect(
      admin.call(routes.teams.invite, { body: { email: 'boss@example.com', role: 'owner' } }),
    ).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('members', () => {
  test('who are removed lose access at once, with their keys', async () => {
    const editor = await server.invite(owner, 'editor')
    const { key } = await editor.call(routes.keys.create, { body: { name: 'mine', scopes: ['read'] } })
    const byKey = server.withKey(key)
    expect((await byKey(routes.teams.current, {})).name).toBe('First team')
    await owner.call(routes.teams.removeMember, { params: { personId: editor.me.person.id } })
    await expect(byKey(routes.teams.current, {})).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(editor.call(routes.teams.current, {})).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('the last owner can neither leave nor step down', async () => {
    const body = { role: 'admin' as const }
    const params = { personId: owner.me.person.id }
    await expect(owner.call(routes.teams.changeRole, { params, body })).rejects.toMatchObject({ code: 'conflict' })
    await expect(owner.call(routes.teams.removeMember, { params })).rejects.toMatchObject({ code: 'conflict' })
  })

  test('an admin cannot touch an owner', async () => {
    const admin = await server.invite(owner, 'admin')
    const params = { personId: owner.me.person.id }
    await expect(admin.call(routes.teams.changeRole, { params, body: { role: 'viewer' } })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(admin.call(routes.teams.removeMember, { params })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(admin.call(routes.signIn.resetMember, { params })).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('passwords', () => {
  test('a change ends other sessions and not this one', async () => {
    const editor = await server.invite(owner, 'editor')
    const phone = server.browser()
    await phone.call(routes.signIn.withPassword, { body: { email: editor.email, password: editor.password } })
    await editor.call(routes.signIn.changePassword, {
      body: { currentPassword: editor.password, newPassword: 'another long one' },
    })
    expect((await editor.call(routes.signIn.me, {})).person.id).toBe(editor.me.person.id)
    await expect(phone.call(routes.signIn.me, {})).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(
      phone.call(routes.signIn.withPassword, { body: { email: editor.email, password: editor.password } }),
    ).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('a reset link works once and ends every session', async () => {
    const editor = await server.invite(owner, 'editor')
    const { link, mailed } = await owner.call(routes.signIn.resetMember, { params: { personId: editor.me.person.id } })
    expect(mailed).toBe(false)
    const token = link?.split('/').at(-1) ?? ''
    await server.browser().call(routes.signIn.resetPassword, { body: { token, password: 'brand new password' } })
    await expect(editor.call(routes.signIn.me, {})).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(
      server.browser().call(routes.signIn.resetPassword, { body: { token, password: 'brand new password' } }),
    ).rejects.toMatchObject({ code: 'unauthenticated' })
    await editor.call(routes.signIn.withPassword, { body: { email: editor.email, password: 'brand new password' } })
  })

  test('a reset link is not made for someone who is in another team too', async () => {
    const admin = await server.invite(owner, 'admin')
    const editor = await server.invite(owner, 'editor')
    await editor.call(routes.teams.create, { body: { name: 'Private matters' } })
    await expect(
      admin.call(routes.signIn.resetMember, { params: { personId: editor.me.person.id } }),
    ).rejects.toMatchObject({ code: 'forbidden' })
  })
})
