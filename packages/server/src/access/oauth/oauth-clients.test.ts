import { expect, test } from 'vitest'
import type { Database } from '../../base/index.ts'
import { createOAuthClients } from './oauth-clients.ts'

const id = 'https://app.example/client.json'
const document = { client_id: id, client_name: 'An app\u202e', redirect_uris: ['https://app.example/back'] }
const database = { transaction: async () => [] } as unknown as Database
let asked = 0
const clientsOf = (answer: () => Response) =>
  createOAuthClients({
    database,
    fetchDocument: async (_url, init) => {
      asked++
      expect(init?.redirect).toBe('error')
      return answer()
    },
  })

test('find() takes a client by the metadata on its own site, and asks for it once in five minutes', async () => {
  const clients = clientsOf(() => Response.json(document))
  asked = 0
  expect(await clients.find(id)).toEqual({
    ...{ id, name: 'An app', site: 'app.example' },
    redirectUris: ['https://app.example/back'],
  })
  await clients.find(id)
  expect(asked).toBe(1)
})

test.each([
  ['another client’s', () => Response.json({ ...document, client_id: 'https://other.example/client.json' })],
  ['an error', () => new Response('', { status: 404 })],
  ['a page', () => new Response('<html>')],
  ['a huge one', () => new Response(`${JSON.stringify(document)}${' '.repeat(30_000)}`)],
  ['one with a dangerous address', () => Response.json({ ...document, redirect_uris: ['javascript:alert(1)'] })],
])('find() refuses metadata that is %s', async (_what, answer) => {
  await expect(clientsOf(answer).find(id)).rejects.toMatchObject({ code: 'invalid_input' })
})

test.each(['https://app.example/', 'https://app.example/a?b', 'https://u@app.example/a', 'https://app.example/a/../b'])(
  'find() does not fetch %s',
  async (wrong) => {
    asked = 0
    await expect(clientsOf(() => Response.json(document)).find(wrong)).rejects.toMatchObject({ code: 'invalid_input' })
    expect(asked).toBe(0)
  },
)
