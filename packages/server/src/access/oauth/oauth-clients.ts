import { CoherexError } from '@coherex/contract'
import { and, count, eq, isNull, lt, or } from 'drizzle-orm'
import { z } from 'zod'
import { createToken, type Database, type Transaction } from '../../base/index.ts'
import type { GuardedFetch } from '../../egress/index.ts'
import { BriefMemory } from '../brief-memory.ts'
import { oauthClient } from '../tables.ts'
import { OAuthError } from './oauth-error.ts'
import { refuseRedirect } from './redirect-uri.ts'

export interface OAuthClient {
  id: string
  /** As it calls itself. */
  name: string
  /** Who vouches for that name: the site its metadata came from; nobody for one that registered itself. */
  site: string | null
  redirectUris: string[]
}

export interface OAuthClientsDeps {
  database: Database
  /** To the site of a client, as a stranger's. */
  fetchDocument: GuardedFetch
}

const mostClients = 1_000
const unusedMs = 24 * 3_600_000
/** What a person granted ends when it is not renewed for 30 days: nobody holds anything of a client that was last used before. */
const usedMs = 31 * 86_400_000
/** Long enough for a person to decide; who comes after that registers again. */
const pressedMs = 15 * 60_000
const documentBytes = 20_000
const documentDeadlineMs = 5_000
const rememberDocumentMs = 5 * 60_000

const metadata = z.object({
  client_name: z.string().max(200).optional(),
  redirect_uris: z.array(z.string()).min(1).max(10),
  token_endpoint_auth_method: z.string().optional(),
  grant_types: z.array(z.string()).max(10).optional(),
})
const whatIsWrong = ({ issues: [first] }: z.ZodError): string => {
  const [field = 'redirect_uris'] = first?.path ?? []
  return field === 'redirect_uris' ? `${field}: one to ten addresses are needed` : `${String(field)}: ${first?.message}`
}
const clientDocument = metadata.extend({ client_id: z.string() })

/** Clients: by the metadata on their own site (CIMD), or registered by themselves, within bounds. All are public: they prove themselves by PKCE. */
export function createOAuthClients({ database, fetchDocument }: OAuthClientsDeps) {
  const documents = new BriefMemory<OAuthClient>(rememberDocumentMs)

  async function readDocument(id: string): Promise<OAuthClient> {
    const url = URL.parse(id)
    if (!url || url.href !== id || url.search !== '' || url.hash !== '' || url.username !== '' || url.pathname === '/')
      throw new CoherexError('invalid_input', 'client_id: not the address of a client’s metadata')
    const answer = await fetchDocument(id, {
      redirect: 'error',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(documentDeadlineMs),
    }).catch((cause: unknown) => {
      throw new CoherexError('invalid_input', `The metadata of the client cannot be fetched from ${url.host}`, {
        cause,
      })
    })
    const parsed = clientDocument.safeParse(answer.ok ? parseJson(await readBounded(answer)) : undefined)
    if (!parsed.success || parsed.data.client_id !== id)
      throw new CoherexError('invalid_input', `What ${url.host} says of the client is not its metadata`)
    const { client_name: name, redirect_uris: redirectUris } = parsed.data
    const isPlain = redirectUris.every((uri) => refuseRedirect(uri) === undefined)
    if (!isPlain) throw new CoherexError('invalid_input', 'The client names an address that nobody may be sent to')
    return { id, name: toName(name), site: url.host, redirectUris }
  }

  return {
    async find(id: string): Promise<OAuthClient> {
      if (id.startsWith('https://')) {
        const found = await documents.get(id.slice(0, 500), () => readDocument(id))
        if (found) return found
      }
      const [row] = await database.transaction({}, (transaction) =>
        transaction
          .select()
          .from(oauthClient)
          .where(eq(oauthClient.id, id.slice(0, 200))),
      )
      if (!row) throw new CoherexError('not_found', 'This client is not known here: it must register again')
      return { id, name: row.name, site: null, redirectUris: row.redirectUris }
    },

    /** RFC 7591, for clients that have no site; `admit` throws where too many come. One that nobody lets in is forgotten after a day, or sooner where there is no room; one that was let in when all that was granted to it is over. */
    async register(body: unknown, admit: () => void): Promise<Record<string, unknown>> {
      const parsed = metadata.safeParse(body)
      if (!parsed.success) throw new OAuthError('invalid_client_metadata', whatIsWrong(parsed.error))
      const { client_name: name, redirect_uris: redirectUris } = parsed.data
      for (const uri of redirectUris) {
        const refusal = refuseRedirect(uri)
        if (refusal) throw new OAuthError('invalid_redirect_uri', `${uri.slice(0, 100)} is refused: ${refusal}`)
      }
      admit()
      const row = { id: `client_${createToken()}`, name: toName(name), redirectUris }
      await database.transaction({}, async (transaction) => {
        await forget(transaction, unusedMs)
        if ((await countClients(transaction)) >= mostClients) await forget(transaction, pressedMs)
        if ((await countClients(transaction)) >= mostClients)
          throw new OAuthError('temporarily_unavailable', 'Too many clients have registered: try again later')
        await transaction.insert(oauthClient).values(row)
      })
      return {
        client_id: row.id,
        client_id_issued_at: Math.floor(Date.now() / 1000),
        client_name: row.name,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      }
    },

    /** A person let it in, or it renewed what it was granted. */
    async noteUse(id: string): Promise<void> {
      await database.transaction({}, (transaction) =>
        transaction.update(oauthClient).set({ usedAt: new Date() }).where(eq(oauthClient.id, id)),
      )
    },
  }
}

/** Clients that nobody let in for so long, and those whose grants are over. */
async function forget(transaction: Transaction, unusedFor: number): Promise<void> {
  const before = (ms: number) => new Date(Date.now() - ms)
  const isUnused = and(isNull(oauthClient.usedAt), lt(oauthClient.createdAt, before(unusedFor)))
  await transaction.delete(oauthClient).where(or(isUnused, lt(oauthClient.usedAt, before(usedMs))))
}

async function countClients(transaction: Transaction): Promise<number> {
  const [known] = await transaction.select({ clients: count() }).from(oauthClient)
  return known?.clients ?? 0
}

/** A name on one line that shows all it has. */
function toName(name: string | undefined): string {
  const plain = (name ?? '')
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '')
    .trim()
    .slice(0, 60)
  return plain || 'A client without a name'
}

async function readBounded(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += (chunk as Uint8Array).length
    if (size > documentBytes) return ''
    chunks.push(chunk as Uint8Array)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
