import { routes } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson
/** The clock that the server, which is in this process, counts requests by. */
const clock = vi.spyOn(Date, 'now')

beforeAll(async () => {
  server = await startTestServer({ COHEREX_REQUESTS_PER_SECOND: '25' })
  owner = await server.owner()
})
afterAll(async () => {
  clock.mockRestore()
  await server.stop()
})

describe('members', () => {
  test('are as many as the quota says, also when the last places are fought for', async () => {
    const { used } = await owner.call(routes.teams.quotas, {})
    const links = await Promise.all(
      Array.from({ length: 5 }, async (_, at) => {
        const body = { email: `racer${at}@example.com`, role: 'viewer' as const }
        return (await owner.call(routes.teams.invite, { body })).link?.split('/').at(-1) ?? ''
      }),
    )
    await owner.call(routes.teams.setQuotas, { body: { members: (used['members'] ?? 0) + 2 } })
    const results = await Promise.allSettled(
      links.map((token, at) =>
        server
          .browser()
          .call(routes.teams.acceptInvitation, { body: { token, name: `R${at}`, password: 'x'.repeat(12) } }),
      ),
    )
    const refused = results.filter((one) => one.status === 'rejected').map((one) => one.reason as { code: string })
    expect(refused.map((one) => one.code)).toEqual(['quota_exceeded', 'quota_exceeded', 'quota_exceeded'])
    const now = await owner.call(routes.teams.quotas, {})
    expect(now.used['members']).toBe(now.limits.members)
    await expect(
      owner.call(routes.teams.invite, { body: { email: 'late@example.com', role: 'viewer' } }),
    ).rejects.toMatchObject({
      code: 'quota_exceeded',
      details: { quota: 'members', limit: now.limits.members, used: now.limits.members },
    })
    await owner.call(routes.teams.setQuotas, { body: { members: 50 } })
    await owner.call(routes.teams.invite, { body: { email: 'late@example.com', role: 'viewer' } })
  })

  test('a quota is set by an operator only, and within reason', async () => {
    const second = await server.invite(owner, 'owner')
    await expect(second.call(routes.teams.setQuotas, { body: { members: 1000 } })).rejects.toMatchObject({
      code: 'forbidden',
    })
    for (const members of [0, -1, 1.5, 1e9, Number.MAX_SAFE_INTEGER + 2]) {
      await expect(owner.call(routes.teams.setQuotas, { body: { members } })).rejects.toMatchObject({
        code: 'invalid_input',
      })
    }
    expect((await second.call(routes.teams.quotas, {})).limits.members).toBe(50)
  })
})

describe('requests', () => {
  const flood = async (headers: Record<string, string>, path = '/api/v1/me') => {
    // more than a burst of a hundred at one moment: a busy machine answers no faster than it refills
    clock.mockReturnValue(Date.now())
    const responses = await Promise.all(Array.from({ length: 150 }, () => fetch(server.url + path, { headers })))
    clock.mockReset()
    const refused = responses.filter((one) => one.status === 429)
    return { refused: refused.length, retryAfter: refused[0]?.headers.get('retry-after') ?? null }
  }

  test('of one person are limited, and they are told when to come back; others are not', async () => {
    const [greedy, other] = [await server.invite(owner, 'viewer'), await server.invite(owner, 'viewer')]
    const first = await flood({ cookie: greedy.cookie() })
    expect(first.refused).toBeGreaterThanOrEqual(50)
    expect(first.retryAfter).toBe('1')
    expect((await other.fetch('/api/v1/me')).status).toBe(200)
    await expect.poll(async () => (await greedy.fetch('/api/v1/me')).status).toBe(200)
  })

  test('of one key are limited apart from its person and their other keys', async () => {
    const one = await owner.call(routes.keys.create, { body: { name: 'greedy', scopes: ['read'] } })
    const other = await owner.call(routes.keys.create, { body: { name: 'other', scopes: ['read'] } })
    expect((await flood({ authorization: `Bearer ${one.key}` })).refused).toBeGreaterThanOrEqual(50)
    expect((await owner.fetch('/api/v1/me')).status).toBe(200)
    expect((await server.withKey(other.key)(routes.signIn.me, {})).via).toBe('key')
  })

  test('that show no key or a wrong one are limited by their address', async () => {
    const { refused } = await flood({ authorization: `Bearer chx_${'guess'.repeat(7)}` })
    expect(refused).toBeGreaterThanOrEqual(50)
  })
})
