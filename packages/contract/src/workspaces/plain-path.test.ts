import { expect, test } from 'vitest'
import { hasRefusedCharacter, isPlainPath } from './plain-path.ts'

test('isPlainPath() takes what stays where it is put', () => {
  const plain = ['a', 'a/b.txt', '.hidden', '...', 'ä 😀.txt', '__proto__', 'a:b', '~']
  expect(plain.filter((path) => !isPlainPath(path))).toEqual([])
  const others = ['', '/a', 'a/', 'a//b', './a', 'a/..', '../a', 'a\\b', 'n'.repeat(256)]
  expect(others.filter(isPlainPath)).toEqual([])
})

test('no path has a control character or half of one', () => {
  const controls = Array.from({ length: 0xa0 }, (_, code) => code).filter((code) => code < 0x20 || code >= 0x7f)
  const refused = [...controls.map((code) => `a${String.fromCharCode(code)}b`), 'a\ud800b', 'a\udc00']
  expect(refused.filter((path) => !hasRefusedCharacter(path) || isPlainPath(path))).toEqual([])
})
