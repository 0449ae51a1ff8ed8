import { Buffer as OwnBuffer } from 'node:buffer'
import * as util from 'node:util'
import { expect, test } from 'vitest'
import { inspect } from '../inspect.ts'
import { Buffer } from './buffer.ts'

test.each<[string, (made: typeof OwnBuffer) => unknown]>([
  ['to base64url', (made) => made.from([1, 2, 3, 251, 255]).toString('base64url')],
  ['a part of it', (made) => made.from([1, 2, 3, 251, 255]).toString('base64url', 3)],
  ['from base64url', (made) => made.from('AQID-_8', 'base64url').toString('hex')],
  ['text that is not encoded', (made) => made.from('base64url').toString()],
  ['its length', (made) => made.byteLength('AQID-_8', 'base64url')],
  ['written', (made) => made.alloc(6).write('AQID', 1, 'base64url')],
  ['asked for', (made) => [made.isEncoding('base64url'), made.isEncoding('BASE64URL'), made.isEncoding('base65')]],
  ['base64', (made) => made.from([251, 255]).toString('base64')],
  ['text', (made) => made.from('hé').toString()],
])('Buffer has the encodings of Node: %s', (_, act) => {
  expect(act(Buffer as unknown as typeof OwnBuffer)).toEqual(act(OwnBuffer))
})

test.each([0, 3, 50, 51, 60])('a Buffer of %i bytes is shown as Node shows it', (size) => {
  expect(inspect([Buffer.alloc(size, 7)])).toBe(util.inspect([OwnBuffer.alloc(size, 7)]))
})
