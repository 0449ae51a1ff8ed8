import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { TeamCaller } from '../../access/index.ts'

const port = z.object({ teamId: z.string(), sandboxId: z.string(), port: z.number().int() })
export type PreviewPort = z.infer<typeof port>

/**
 * What a signed address says. `team` leads members in who show who they are; `view` is what a page they opened is reached
 * by, because a page without an origin sends no cookies; `anyone` was shared.
 */
const link = z.discriminatedUnion('for', [
  port.extend({ for: z.literal('team'), at: z.number(), until: z.number() }),
  // whoever shared it: it shows no more than they may see
  port.extend({ for: z.literal('anyone'), at: z.number(), until: z.number(), personId: z.string().optional() }),
  port.extend({
    for: z.literal('view'),
    at: z.number(),
    until: z.number(),
    personId: z.string(),
    via: z.enum(['session', 'key']),
    credentialId: z.string(),
    /** Which browser it was made for: pages tell other sites where they are, and those have no use for it. */
    client: z.string(),
  }),
])
export type PreviewLink = z.infer<typeof link>

const hourMs = 3_600_000
const teamHours = 24
const viewHours = 12

export type PreviewLinks = ReturnType<typeof createPreviewLinks>

/** Addresses of sandboxes' ports that nobody else can make. */
export function createPreviewLinks({ key, publicUrl }: { key: Uint8Array; publicUrl: string }) {
  const signatureOf = (text: string) => createHmac('sha256', key).update(text).digest()

  function sign(said: PreviewLink): string {
    const text = Buffer.from(JSON.stringify(said)).toString('base64url')
    return `${text}.${signatureOf(text).toString('base64url')}`
  }

  function toLink(said: PreviewLink) {
    const expiresAt = new Date(said.until).toISOString()
    return { url: `${publicUrl}/preview/${sign(said)}/`, expiresAt, shared: said.for === 'anyone' }
  }

  return {
    forTeam: (of: PreviewPort) => toLink({ ...of, for: 'team', ...lasting(teamHours) }),
    forAnyone: (of: PreviewPort, hours: number, personId: string) =>
      toLink({ ...of, for: 'anyone', ...lasting(hours), personId }),
    /** The token of a page that this member opens. */
    forView: (
      { teamId, sandboxId, port: number }: PreviewPort,
      { person, via, credentialId }: TeamCaller,
      client: string,
    ): string =>
      sign({
        teamId,
        sandboxId,
        port: number,
        for: 'view',
        ...lasting(viewHours),
        personId: person.id,
        via,
        credentialId,
        client,
      }),
    /** What a token says; undefined unless we signed it and its time is not up. */
    read(token: string): PreviewLink | undefined {
      const [text = '', signature = ''] = token.split('.')
      const given = Buffer.from(signature, 'base64url')
      const right = signatureOf(text)
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
      const said = link.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()))
      return said.success && said.data.until > Date.now() ? said.data : undefined
    },
  }
}

function lasting(hours: number): { at: number; until: number } {
  const at = Date.now()
  return { at, until: at + hours * hourMs }
}
