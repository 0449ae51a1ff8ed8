import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { verifySignature, type SignedRequest } from './verify-signature.ts'

const now = Date.parse('2026-11-16T12:00:00Z')
const seconds = now / 1000
const body = Buffer.from('{"a":  1}')
const standardSecret = `whsec_${Buffer.from('a key of thirty-two random bytes').toString('base64')}`
const otherSecret = `whsec_${Buffer.from('another key of thirty-two bytes!').toString('base64')}`

const request = (headers: Record<string, string | string[]>, of: Buffer = body): SignedRequest => ({
  header: (name) => [headers[name] ?? []].flat(),
  body: of,
})
const hmac = (key: string | Buffer, text: string, encoding: 'base64' | 'hex') =>
  createHmac('sha256', key).update(text).digest(encoding)
const standardKey = (secret: string) => Buffer.from(secret.slice(6), 'base64')
const signStandard = (secret: string, id: string, time: number, text: string) =>
  `v1,${hmac(standardKey(secret), `${id}.${time}.${text}`, 'base64')}`

function standard({ id = 'msg_1', time = seconds, text = String(body), secret = standardSecret } = {}) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(time),
    'webhook-signature': signStandard(secret, id, time, text),
  }
}

const wrong = { kind: 'refused', reason: 'The signature is missing or wrong' }
const late = { kind: 'refused', reason: 'The time stamp is more than five minutes off' }

describe('Standard Webhooks', () => {
  const verify = (headers: Record<string, string | string[]>, of: Buffer = body, secrets = [standardSecret]) =>
    verifySignature('standard', request(headers, of), { secrets, now })

  test('the example of the specification is signed', () => {
    const secrets = ['whsec_plJ3nmyCDGBKInavdOK15jsl']
    const text = '{"event_type":"ping","data":{"success":true}}'
    const headers = {
      'webhook-id': 'msg_loFOjxBNrRLzqYUf',
      'webhook-timestamp': '1731705121',
      'webhook-signature': 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
    }
    expect(verifySignature('standard', request(headers, Buffer.from(text)), { secrets, now: 1731705121_000 })).toEqual({
      kind: 'signed',
      key: 'id msg_loFOjxBNrRLzqYUf',
    })
  })

  test('one of several signatures and one of several secrets is enough', () => {
    const headers = standard()
    const several = `v1a,abc ${signStandard(otherSecret, 'msg_1', seconds, 'x')} ${headers['webhook-signature']}`
    expect(verify({ ...headers, 'webhook-signature': several })).toMatchObject({ kind: 'signed' })
    expect(verify(headers, body, [otherSecret, standardSecret])).toMatchObject({ kind: 'signed' })
  })

  test('[W01] what is missing, of another body, secret or id, written otherwise or sent twice is refused', () => {
    const good = standard()
    const bad: [string, Record<string, string | string[]>, Buffer?][] = [
      ['no headers', {}],
      ['no signature', { ...good, 'webhook-signature': [] }],
      ['another body', good, Buffer.from('{"a":2}')],
      ['JSON written anew', good, Buffer.from(JSON.stringify(JSON.parse(String(body))))],
      ['another secret', standard({ secret: otherSecret })],
      ['another id', { ...good, 'webhook-id': 'msg_2' }],
      ['another time', { ...good, 'webhook-timestamp': String(seconds + 1) }],
      ['no version', { ...good, 'webhook-signature': good['webhook-signature'].slice(3) }],
      ['another version', { ...good, 'webhook-signature': good['webhook-signature'].replace('v1', 'v2') }],
      ['base64 without its end', { ...good, 'webhook-signature': good['webhook-signature'].replace(/=+$/, '') }],
      ['a header twice', { ...good, 'webhook-signature': [good['webhook-signature'], good['webhook-signature']] }],
      ['an id twice', { ...good, 'webhook-id': ['msg_1', 'msg_2'] }],
      ['very many signatures', { ...good, 'webhook-signature': Array(9).fill(good['webhook-signature']).join(' ') }],
      ['an id with a space', standard({ id: 'msg 1' })],
    ]
    for (const [what, headers, of] of bad) expect([what, verify(headers, of)]).toEqual([what, wrong])
    expect(verify(good, body, [])).toEqual(wrong)
  })

  test('[W02] five minutes both ways are the most', () => {
    for (const time of [seconds - 300, seconds + 300]) {
      expect(verify(standard({ time }))).toMatchObject({ kind: 'signed' })
    }
    for (const time of [seconds - 301, seconds + 301, 0]) expect(verify(standard({ time }))).toEqual(late)
    const odd = { ...standard(), 'webhook-timestamp': '1e9' }
    expect(
      verify({
        ...odd,
        'webhook-signature': `v1,${hmac(standardKey(standardSecret), `msg_1.1e9.${String(body)}`, 'base64')}`,
      }),
    ).toEqual(late)
  })
})

describe('GitHub', () => {
  const verify = (headers: Record<string, string | string[]>, of: Buffer = body) =>
    verifySignature('github', request(headers, of), { secrets: ['It is a secret'], now })
  const good = { 'x-hub-signature-256': `sha256=${hmac('It is a secret', String(body), 'hex')}` }

  test('the same body is the same delivery, whatever id it comes with', () => {
    const first = verify({ ...good, 'x-github-delivery': 'one' })
    expect(first).toMatchObject({ kind: 'signed', key: expect.stringMatching(/^body [0-9a-f]{64}$/) })
    expect(verify({ ...good, 'x-github-delivery': 'two' })).toEqual(first)
  })

  test('[W01] the old signature, capital letters, another body and none are refused', () => {
    const sha1 = createHmac('sha1', 'It is a secret').update(body).digest('hex')
    expect(verify({ 'x-hub-signature': `sha1=${sha1}` })).toEqual(wrong)
    expect(verify({ 'x-hub-signature-256': good['x-hub-signature-256'].toUpperCase() })).toEqual(wrong)
    expect(verify(good, Buffer.from('{}'))).toEqual(wrong)
    expect(verify({ 'x-hub-signature-256': 'sha256=' })).toEqual(wrong)
    expect(verify({})).toEqual(wrong)
  })
})

describe('Slack', () => {
  const secret = '8f742231b10e8888abcd99yyyzzz85a5'
  const send = (text: string, time = seconds, signed = text) =>
    verifySignature(
      'slack',
      request(
        {
          'x-slack-request-timestamp': String(time),
          'x-slack-signature': `v0=${hmac(secret, `v0:${time}:${signed}`, 'hex')}`,
        },
        Buffer.from(text),
      ),
      { secrets: [secret], now },
    )

  test('an event that is sent again with another time is the same delivery', () => {
    const event = JSON.stringify({ type: 'event_callback', event_id: 'Ev123' })
    expect(send(event)).toEqual({ kind: 'signed', key: 'event Ev123' })
    expect(send(event, seconds + 60)).toEqual({ kind: 'signed', key: 'event Ev123' })
    expect(send('command=%2Fweather')).toMatchObject({ kind: 'signed', key: expect.stringMatching(/^body /) })
  })

  test('its question whether anyone is there is answered only when it is signed', () => {
    const question = JSON.stringify({ type: 'url_verification', challenge: 'abc' })
    expect(send(question)).toEqual({ kind: 'challenge', challenge: 'abc' })
    expect(send(question, seconds, 'something else')).toEqual(wrong)
    expect(send(question, seconds - 600)).toEqual(late)
  })
})
