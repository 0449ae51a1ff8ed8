import { createHmac } from 'node:crypto'
import { CoherexError, type ToolRules } from '@coherex/contract'
import { openSecrets, type KeyRing } from '../../access/index.ts'
import { createId, type Database } from '../../base/index.ts'
import { EgressError, teamRules, type Egress } from '../../egress/index.ts'
import { toGivenFiles, type Finding, type ToolFolder } from '../../registry/index.ts'
import { readFindings } from './read-findings.ts'

export interface ServiceDeps {
  database: Database
  keyRing: KeyRing
  egress: Pick<Egress, 'outbound'>
}

const withinMs = 30_000
const largestAnswer = 256 * 1024

/** Sends a version to the team's review service, signed as Standard Webhooks are, and takes its findings. */
export async function askService(
  deps: ServiceDeps,
  { teamId, service }: { teamId: string; service: NonNullable<ToolRules['service']> },
  { content, version }: { content: ToolFolder; version: number },
): Promise<{ name: string; findings: Finding[] }> {
  const { host, origin, pathname } = new URL(service.url)
  const refuse = (why: string, cause?: unknown) =>
    new CoherexError('unavailable', `Cannot review with the service at ${host}: ${why}`, { cause })
  const secret = (await openSecrets(deps, teamId, [service.secret])).get(service.secret)
  if (secret === undefined) throw refuse(`the team has no secret ${service.secret}`)
  const { definition, input, output, files } = content
  const body = Buffer.from(
    JSON.stringify({ type: 'tool.review', data: { definition, version, input, output, files: toGivenFiles(files) } }),
  )
  const limits = { headersMs: withinMs, totalMs: withinMs, redirects: 0, bodyBytes: body.length }
  const rules = teamRules({ allow: [`${origin}${pathname}`], methods: ['POST'], limits })
  try {
    const answer = await deps.egress.outbound({ rules }).fetch(
      {
        ...{ url: service.url, method: 'POST', body, redirect: 'error', maxBytes: largestAnswer },
        headers: [['content-type', 'application/json'], ...sign(body, secret)],
      },
      AbortSignal.timeout(withinMs),
    )
    if (answer.status < 200 || answer.status > 299) throw refuse(`it answers ${answer.status}`)
    if (answer.truncated) throw refuse(`its answer is longer than ${largestAnswer / 1024} KB`)
    const findings = readFindings(Buffer.from(answer.body).toString(), new Set(files.keys()))
    if (!findings) throw refuse('it answers something else than {"findings":[{"file","line","note"}]}')
    return { name: host, findings }
  } catch (error) {
    if (error instanceof EgressError) throw refuse(error.message, error)
    throw error
  }
}

/** Standard Webhooks 1.0.0: id, time and body are signed. */
function sign(body: Buffer, secret: string): [string, string][] {
  const id = createId('delivery')
  const time = String(Math.floor(Date.now() / 1000))
  const key = Buffer.from(secret.trim().replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64')
  return [
    ['webhook-id', id],
    ['webhook-timestamp', time],
    ['webhook-signature', `v1,${signature}`],
  ]
}
