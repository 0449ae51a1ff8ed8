import { expect, test } from 'vitest'
import { createProducedFiles } from './produced-files.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const bytes = (text: string) => new Uint8Array(Buffer.from(text))

test('pieces of a file become one, and a link stays what the guest wrote', () => {
  const produced = createProducedFiles({ maxBytes: 100, maxFiles: 10 })
  produced.piece('a/b.txt', base64('one '), false)
  produced.piece('a/b.txt', base64('two'), true)
  produced.link('to', '/etc/passwd')
  expect(produced.files).toEqual([
    { path: 'a/b.txt', bytes: bytes('one two') },
    { path: 'to', bytes: new Uint8Array(), linkTarget: '/etc/passwd' },
  ])
  expect(produced.refused).toBe(0)
})

test.each(['../x', '/etc/passwd', 'a/../../x', '', '.', 'a//b', 'a\0b', 'x'.repeat(1025)])(
  '[process.16] a path that no honest guest sends is refused, as a file and as a link: %j',
  (path) => {
    const produced = createProducedFiles({ maxBytes: 100, maxFiles: 10 })
    produced.piece(path, base64('x'), true)
    produced.link(path, 'target')
    expect([produced.files, produced.refused]).toEqual([[], 2])
  },
)

test('a file that is begun and left for another is no file', () => {
  const produced = createProducedFiles({ maxBytes: 100, maxFiles: 10 })
  produced.piece('a', base64('half'), false)
  produced.piece('b', base64('whole'), true)
  produced.piece('a', base64('rest'), true)
  expect(produced.files.map(({ path, bytes: given }) => [path, Buffer.from(given).toString()])).toEqual([
    ['b', 'whole'],
    ['a', 'rest'],
  ])
})

test('bytes beyond the bound are refused, in one file or in many, and whatever is sent afterwards', () => {
  const produced = createProducedFiles({ maxBytes: 10, maxFiles: 10 })
  produced.piece('a', base64('123456'), true)
  produced.piece('b', base64('1234'), false)
  produced.piece('b', base64('5'), true)
  produced.piece('c', base64('1'), true)
  expect([produced.files, produced.refused]).toEqual([[{ path: 'a', bytes: bytes('123456') }], 2])
})

test('files and links beyond their number are refused', () => {
  const produced = createProducedFiles({ maxBytes: 100, maxFiles: 2 })
  produced.piece('a', '', true)
  produced.link('b', 'a')
  produced.piece('c', '', true)
  produced.link('d', 'a')
  expect([produced.files.map(({ path }) => path), produced.refused]).toEqual([['a', 'b'], 2])
})

test('the target of a link has a bound', () => {
  const produced = createProducedFiles({ maxBytes: 100, maxFiles: 2 })
  produced.link('a', 'x'.repeat(4097))
  expect([produced.files, produced.refused]).toEqual([[], 1])
})
