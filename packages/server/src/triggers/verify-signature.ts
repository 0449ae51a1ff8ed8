import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Signature } from '@coherex/contract'
import { refuseJson } from '../base/index.ts'

export interface SignedRequest {
  /** Every value that a header came with. */
  header(name: string): string[]
  /** As it came: what is signed are bytes, not what they mean. */
  body: Buffer
}

export type Verdict =
  /** Signed by someone who has a secret. `key` is the same for the same delivery, and cannot be changed without the secret. */
  | { kind: 'signed'; key: string }
  /** Slack asks whether anyone is there. */
  | { kind: 'challenge'; challenge: string }
  | { kind: 'refused'; reason: string }

const windowSeconds = 5 * 60
// one for each secret of the sender while it replaces them
const mostSignatures = 8
const wrong: Verdict = { kind: 'refused', reason: 'The signature is missing or wrong' }
const late: Verdict = { kind: 'refused', reason: 'The time stamp is more than five minutes off' }

/** Whether a request was signed with one of the secrets, within five minutes of now. */
export function verifySignature(
  signature: Signature,
  request: SignedRequest,
  { secrets, now }: { secrets: readonly string[]; now: number },
): Verdict {
  switch (signature) {
    case 'standard':
      return verifyStandard(request, secrets, now)
    case 'github':
      return verifyGitHub(request, secrets)
    case 'slack':
      return verifySlack(request, secrets, now)
  }
}

/** Standard Webhooks 1.0.0: id, time and body are signed. */
function verifyStandard(request: SignedRequest, secrets: readonly string[], now: number): Verdict {
  const id = only(request, 'webhook-id')
  const time = only(request, 'webhook-timestamp')
  const given = only(request, 'webhook-signature')?.split(' ') ?? []
  if (!id || !/^[\x21-\x7e]{1,200}$/.test(id) || !time || given.length > mostSignatures) return wrong
  const signed = Buffer.concat([Buffer.from(`${id}.${time}.`), request.body])
  const offered = given.flatMap((one) => (one.startsWith('v1,') ? decode(one.slice(3), 'base64') : []))
  const keys = secrets.map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
  if (!isSigned(signed, keys, offered)) return wrong
  return isNow(time, now) ? { kind: 'signed', key: `id ${id}` } : late
}

/**
 * GitHub signs the body and nothing else: neither the delivery's id nor a time. Whoever recorded a request could send it
 * again under another id, so the same body is the same delivery.
 */
function verifyGitHub(request: SignedRequest, secrets: readonly string[]): Verdict {
  const given = only(request, 'x-hub-signature-256')
  if (!given?.startsWith('sha256=')) return wrong
  if (!isSigned(request.body, toKeys(secrets), [decode(given.slice(7), 'hex')])) return wrong
  return { kind: 'signed', key: `body ${sha256(request.body)}` }
}

/** Slack signs time and body. It sends again what was not answered, with a new time and the same event. */
function verifySlack(request: SignedRequest, secrets: readonly string[], now: number): Verdict {
  const time = only(request, 'x-slack-request-timestamp')
  const given = only(request, 'x-slack-signature')
  if (!time || !given?.startsWith('v0=')) return wrong
  const signed = Buffer.concat([Buffer.from(`v0:${time}:`), request.body])
  if (!isSigned(signed, toKeys(secrets), [decode(given.slice(3), 'hex')])) return wrong
  if (!isNow(time, now)) return late
  const { type, challenge, event_id: eventId } = readJson(request.body)
  if (type === 'url_verification' && typeof challenge === 'string') {
    return { kind: 'challenge', challenge: challenge.slice(0, 1_000) }
  }
  const isEvent = typeof eventId === 'string' && /^[\w-]{1,100}$/.test(eventId)
  return { kind: 'signed', key: isEvent ? `event ${eventId}` : `body ${sha256(signed)}` }
}

/** A header that comes twice could be read in two ways. */
function only({ header }: SignedRequest, name: string): string | undefined {
  const values = header(name)
  return values.length === 1 ? values[0] : undefined
}

function isSigned(signed: Buffer, keys: readonly Buffer[], offered: readonly Buffer[]): boolean {
  let isFound = false
  for (const key of keys) {
    const expected = createHmac('sha256', key).update(signed).digest()
    // each is compared, also after one fits: time tells nothing
    for (const one of offered) isFound = (one.length === expected.length && timingSafeEqual(one, expected)) || isFound
  }
  return isFound
}

function isNow(time: string, now: number): boolean {
  return /^\d{1,12}$/.test(time) && Math.abs(now / 1000 - Number(time)) <= windowSeconds
}

/** Empty when it is written in another way than one: decoders forgive much. */
function decode(text: string, encoding: 'base64' | 'hex'): Buffer {
  const bytes = Buffer.from(text, encoding)
  return bytes.toString(encoding) === text ? bytes : Buffer.alloc(0)
}

function toKeys(secrets: readonly string[]): Buffer[] {
  return secrets.map((secret) => Buffer.from(secret))
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function readJson(body: Buffer): Record<string, unknown> {
  if (refuseJson(body) !== undefined) return {}
  try {
    const value = JSON.parse(body.toString()) as unknown
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
