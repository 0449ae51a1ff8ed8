import { expect, test } from 'vitest'
import { isOurHost, isOurOrigin, isOurRequest } from './guard-requests.ts'

const publicUrl = 'https://code.example.com'

test.each([
  ['code.example.com', true],
  ['localhost', true],
  ['localhost:4310', true],
  ['127.0.0.1:4310', true],
  ['[::1]:4310', true],
  ['192.168.1.7', true],
  [undefined, false],
  ['', false],
  ['evil.example', false],
  ['code.example.com.evil.example', false],
  ['code.example.com:444', false],
  ['localhost.evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['127.0.0.1.nip.io:4310', false],
  ['evil.example:4310@127.0.0.1', false],
  ['localhost:4310:80', false],
])('the host %s is ours: %s', (host, ours) => {
  expect(isOurHost(host, publicUrl)).toBe(ours)
})

test.each([
  [undefined, false],
  ['https://code.example.com', true],
  ['http://127.0.0.1:4310', true],
  ['null', false],
  ['', false],
  ['http://code.example.com', false],
  ['https://evil.example', false],
  ['https://code.example.com.evil.example', false],
  ['http://127.0.0.1:4311', false],
])('the origin %s is ours: %s', (origin, ours) => {
  expect(isOurOrigin(origin, '127.0.0.1:4310', publicUrl)).toBe(ours)
})

const [host, cookie, authorization] = ['code.example.com', 'coherex.session_token=x', 'Bearer x']

test.each([
  [{ host }, true],
  [{ host, authorization }, true],
  [{ host, cookie, authorization }, true],
  [{ host, cookie }, false],
  [{ host, cookie, origin: publicUrl }, true],
  [{ host, cookie, origin: 'null' }, false],
  [{ host, origin: 'https://evil.example' }, false],
  [{ host, cookie, authorization, origin: 'https://evil.example' }, false],
])('a request with %j is ours: %s', (headers, ours) => {
  expect(isOurRequest(headers, publicUrl)).toBe(ours)
})
