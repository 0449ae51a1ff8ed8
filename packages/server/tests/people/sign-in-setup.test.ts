import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../harness/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('of several browsers that finish the setup at once one does, and its password is the one that counts', async () => {
  const superuser = await server.database.superuser()
  const [row] = (await superuser.query<{ id: string }>('SELECT id FROM coherex_auth.person')).rows
  const browsers = []
  for (const number of [1, 2, 3]) {
    const token = `a-sign-in-token-of-browser-${number}`
    await superuser.query(
      `INSERT INTO coherex_auth.one_time_link VALUES (encode(sha256(convert_to($1, 'UTF8')), 'hex'), 'sign-in', $2, now() + interval '1 hour')`,
      [token, row?.id],
    )
    const browser = server.browser()
    await browser.call(routes.signIn.withLink, { body: { token } })
    browsers.push(browser)
  }
  await superuser.end()
  const body = (number: number) => ({
    name: `Owner ${number}`,
    email: `owner${number}@example.com`,
    password: `password number ${number}`,
    teamName: 'Team',
  })
  const results = await Promise.allSettled(
    browsers.map((one, number) => one.call(routes.signIn.finishSetup, { body: body(number) })),
  )
  const winner = results.findIndex((one) => one.status === 'fulfilled')
  expect(results.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
  const { email, password } = body(winner)
  const me = await server.browser().call(routes.signIn.withPassword, { body: { email, password } })
  expect(me).toMatchObject({ person: { name: `Owner ${winner}` }, setupDone: true })
})
