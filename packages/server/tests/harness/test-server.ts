import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, routes, type Client, type Me, type Role } from '@coherex/contract'
import { readConfig } from '../../src/config.ts'
import { startServer } from '../../src/server.ts'
import { createTestDatabase, type TestDatabase } from './database/test-database.ts'

/** A browser without a page: keeps its cookies from answer to request. */
export interface Browser {
  call: Client
  fetch(path: string, init?: RequestInit): Promise<Response>
  cookie(): string
  /** What it sends to open a socket. */
  socketHeaders(): { cookie: string; origin: string }
}

export interface TestPerson extends Browser {
  me: Me
  email: string
  password: string
}

export interface TestServer {
  url: string
  /** Where the printed link leads, below the address. */
  signInPath: string
  dataDirectory: string
  database: TestDatabase
  browser(): Browser
  /** The first owner, set up. */
  owner(): Promise<TestPerson>
  /** Someone new who accepted an invitation of `inviter`. */
  invite(inviter: TestPerson, role: Role): Promise<TestPerson>
  /** Someone who was in the inviter's team and now owns another. */
  stranger(inviter: TestPerson): Promise<TestPerson>
  /** A caller with an API key. */
  withKey(key: string): Client
  stop(): Promise<void>
}

/** The whole product in this process, on a free port and a database of its own. */
export async function startTestServer(settings: Record<string, string> = {}): Promise<TestServer> {
  const database = await createTestDatabase()
  const dataDirectory = await mkdtemp(join(tmpdir(), 'coherex-data-'))
  await chmod(dataDirectory, 0o711)
  const server = await startServer(
    readConfig(
      {
        PORT: '0',
        COHEREX_DATA_DIR: dataDirectory,
        DATABASE_URL: database.url,
        COHEREX_LOG_LEVEL: 'error',
        // most tests run no code, and whoever does waits for what they use
        COHEREX_WARM: 'false',
        // tests that add packages have registries of their own
        COHEREX_NPM_REGISTRY: 'off',
        COHEREX_PYPI_INDEX: 'off',
        ...settings,
      },
      dataDirectory,
    ),
  )
  let people = 0

  const browser = (): Browser => createBrowser(server.url)
  const invite = (inviter: TestPerson, role: Role) =>
    invitePerson(server, inviter, { role, name: `${role} ${++people}` })
  return {
    url: server.url,
    signInPath: new URL(server.signInLink).pathname,
    dataDirectory,
    database,
    browser,
    owner: () => setUpOwner(server),
    invite,
    stranger: async (inviter) => turnStranger(inviter, await invite(inviter, 'viewer')),
    withKey: (key) => createClient({ baseUrl: server.url, fetch, key }),
    async stop() {
      await server.stop()
      await database.drop()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}

/** Whoever opens the printed link first. */
export async function setUpOwner({ url, signInLink }: { url: string; signInLink: string }): Promise<TestPerson> {
  const one = createBrowser(url)
  const email = `owner@example.com`
  const password = 'a long owner password'
  await one.call(routes.signIn.withLink, { body: { token: signInLink.split('/').at(-1) ?? '' } })
  const me = await one.call(routes.signIn.finishSetup, {
    body: { name: 'Olga Owner', email, password, teamName: 'First team' },
  })
  return { ...one, me, email, password }
}

export async function invitePerson(
  { url }: { url: string },
  inviter: TestPerson,
  { role, name, email = `${name.replace(' ', '')}@example.com` }: { role: Role; name: string; email?: string },
): Promise<TestPerson> {
  const one = createBrowser(url)
  const password = `password of ${email}`
  const { link } = await inviter.call(routes.teams.invite, { body: { email, role } })
  const token = link?.split('/').at(-1) ?? ''
  const me = await one.call(routes.teams.acceptInvitation, { body: { token, name, password } })
  return { ...one, me, email, password }
}

async function turnStranger(remover: TestPerson, person: TestPerson): Promise<TestPerson> {
  await remover.call(routes.teams.removeMember, { params: { personId: person.me.person.id } })
  const { id: teamId } = await person.call(routes.teams.create, { body: { name: 'Strangers' } })
  await person.call(routes.signIn.switchTeam, { body: { teamId } })
  return person
}

export function createBrowser(url: string): Browser {
  const cookies = new Map<string, string>()
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const fetchWithCookies = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    if (cookies.size > 0) headers.set('cookie', cookie())
    const target = path.startsWith('http') ? path : url + path
    // as from a page of the server that is asked
    if ((init.method ?? 'GET') !== 'GET' && !headers.has('origin')) headers.set('origin', new URL(target).origin)
    const response = await fetch(target, { redirect: 'manual', ...init, headers })
    for (const one of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(one) ?? []
      if (!name) continue
      if (!value || /max-age=0\b/i.test(one)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  return {
    call: createClient({ baseUrl: url, fetch: fetchWithCookies as never }),
    fetch: fetchWithCookies,
    cookie,
    socketHeaders: () => ({ cookie: cookie(), origin: new URL(url).origin }),
  }
}
