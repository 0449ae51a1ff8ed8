import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveKey, seal, unseal } from './seal.ts'

const key = deriveKey('an installation key of the tests', 'team keys')
const plain = Buffer.from('sk-live-a-real-secret')
const context = ['secret', 'team_a', 'sec_1']

test('what was sealed opens with the same key and context, whatever it is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), fc.array(fc.string(), { maxLength: 4 }), (bytes, where) => {
      expect(unseal(key, where, seal(key, where, bytes))).toEqual(Buffer.from(bytes))
    }),
  )
})

test('sealing twice gives two different values, neither of which holds the plain one', () => {
  const [one, other] = [seal(key, context, plain), seal(key, context, plain)]
  expect(one.equals(other)).toBe(false)
  expect(one.includes(plain)).toBe(false)
})

test.each([
  ['another team', ['secret', 'team_b', 'sec_1']],
  ['another record', ['secret', 'team_a', 'sec_2']],
  ['another purpose', ['team-key', 'team_a', 'sec_1']],
  ['the same letters cut elsewhere', ['secret', 'team_ase', 'c_1']],
  ['a part less', ['secret', 'team_asec_1']],
])('it does not open as %s', (_, other) => {
  expect(() => unseal(key, other, seal(key, context, plain))).toThrow()
})

test('it does not open with another key, nor one derived for another purpose', () => {
  const sealed = seal(key, context, plain)
  expect(() => unseal(deriveKey('another installation key', 'team keys'), context, sealed)).toThrow()
  expect(() => unseal(deriveKey('an installation key of the tests', 'cookies'), context, sealed)).toThrow()
})

test('it does not open once any byte was changed, or some were cut off', () => {
  const sealed = seal(key, context, plain)
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(() => unseal(key, context, changed), `byte ${at}`).toThrow()
  }
  for (let length = 0; length < sealed.length; length++) {
    expect(() => unseal(key, context, sealed.subarray(0, length)), `length ${length}`).toThrow()
  }
})
