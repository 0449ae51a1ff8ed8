import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMailbox, type Mailbox } from '../harness/outside/mailbox.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let mailbox: Mailbox
let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  mailbox = await startMailbox()
  server = await startTestServer({
    COHEREX_SMTP_URL: mailbox.url,
    COHEREX_MAIL_FROM: 'Coherex <coherex@example.com>',
    COHEREX_LOG_LEVEL: 'silent',
  })
  owner = await server.owner()
})
afterAll(async () => {
  await server.stop()
  await mailbox.stop()
})

const tokenIn = (letter: string | undefined, page: string) =>
  new RegExp(`${server.url}/${page}/([\\w-]{32})`).exec(letter ?? '')?.[1] ?? ''

async function inviteByMail(email: string): Promise<TestPerson> {
  const invited = await owner.call(routes.teams.invite, { body: { email, role: 'editor' } })
  expect(invited).toMatchObject({ link: null, mailed: true })
  const [letter] = await mailbox.lettersTo(email, 1)
  expect(letter).toContain('From: Coherex <coherex@example.com>')
  const browser = server.browser()
  const password = `password of ${email}`
  const body = { token: tokenIn(letter, 'invite'), name: 'By Mail', password }
  return { ...browser, me: await browser.call(routes.teams.acceptInvitation, { body }), email, password }
}

test('an invitation goes to the invited, and the admin does not see its link', async () => {
  const person = await inviteByMail('bea@example.com')
  expect(person.me).toMatchObject({ role: 'editor', person: { email: 'bea@example.com' } })
})

test('a reset that an admin asked for goes to the person, and not to the admin', async () => {
  const person = await inviteByMail('carl@example.com')
  const answer = await owner.call(routes.signIn.resetMember, { params: { personId: person.me.person.id } })
  expect(answer).toMatchObject({ link: null, mailed: true })
  const [, letter] = await mailbox.lettersTo(person.email, 2)
  const body = { token: tokenIn(letter, 'reset'), password: 'after the reset' }
  await server.browser().call(routes.signIn.resetPassword, { body })
  await server.browser().call(routes.signIn.withPassword, { body: { email: person.email, password: body.password } })
})

test('people who forgot their password get a link by mail; strangers get none and cannot tell', async () => {
  const person = await inviteByMail('dora@example.com')
  await server.browser().call(routes.signIn.forgotPassword, { body: { email: 'stranger@example.com' } })
  await server.browser().call(routes.signIn.forgotPassword, { body: { email: person.email } })
  const letters = await mailbox.lettersTo(person.email, 2)
  const body = { token: tokenIn(letters[1], 'reset'), password: 'remembered now' }
  await server.browser().call(routes.signIn.resetPassword, { body })
  expect(await mailbox.lettersTo('stranger@example.com', 0)).toEqual([])
})

test('a name cannot add headers or recipients to a letter', async () => {
  await owner.call(routes.signIn.updateMe, { body: { name: 'Olga" <evil@example.com>, Bcc: evil@example.com' } })
  await owner.call(routes.teams.rename, { body: { name: 'Team =?utf-8?q?x?= Bcc: evil@example.com' } })
  await owner.call(routes.teams.invite, { body: { email: 'erik@example.com', role: 'viewer' } })
  const [letter = ''] = await mailbox.lettersTo('erik@example.com', 1)
  expect(letter).not.toMatch(/^bcc:/im)
  expect(await mailbox.lettersTo('evil@example.com', 0)).toEqual([])
  for (const name of ['two\r\nlines', 'two\nlines', 'nul\0', 'turned \u202e around']) {
    await expect(owner.call(routes.signIn.updateMe, { body: { name } })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  }
})

test('where the mail server is away, the link is shown instead, and nothing of it is told', async () => {
  const other = await startTestServer({
    // below the ports that are given out: nobody listens there meanwhile
    COHEREX_SMTP_URL: 'smtp://user:CANARY@127.0.0.1:1',
    COHEREX_MAIL_FROM: 'coherex@example.com',
    COHEREX_LOG_LEVEL: 'silent',
  })
  try {
    const person = await other.owner()
    const response = await person.fetch('/api/v1/invitations', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'fay@example.com', role: 'viewer' }),
    })
    const answer = await response.text()
    expect(JSON.parse(answer)).toMatchObject({ mailed: false, link: expect.stringContaining('/invite/') as string })
    expect(answer).not.toContain('CANARY')
  } finally {
    await other.stop()
  }
})
