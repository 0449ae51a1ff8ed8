import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { readZip } from './read-zip.ts'

async function* inPieces(bytes: Uint8Array, size = 1000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const refused = (code: string, message: RegExp) => ({ code, message: expect.stringMatching(message) as string })

test('readZip() gives all files, packed or stored, and no folders', async () => {
  const zip = zipSync({
    'a.txt': strToU8('a'),
    folder: { 'b.bin': [new Uint8Array([0, 255]), { level: 0 }], empty: {} },
  })
  const files = await readZip(inPieces(zip, 7))
  expect(files.map(({ path, bytes }) => [path, [...bytes]])).toEqual([
    ['a.txt', [97]],
    ['folder/b.bin', [0, 255]],
  ])
})

test.each(['../up.txt', 'a/../../up.txt', '/etc/passwd', 'a\\b.txt', 'C:/x/../y'])(
  'readZip() refuses an archive with %s in it as a whole',
  async (name) => {
    const zip = zipSync({ 'fine.txt': strToU8('fine'), [name]: strToU8('x') })
    await expect(readZip(inPieces(zip))).rejects.toMatchObject(refused('invalid_input', /stay below the root/))
  },
)

test('readZip() refuses a bomb before it is unpacked', async () => {
  const bomb = zipSync({ zeros: new Uint8Array(10_000_000) })
  expect(bomb.length).toBeLessThan(100_000)
  await expect(readZip(inPieces(bomb, 65_536), { bytes: 1_000_000, files: 10 })).rejects.toMatchObject({
    code: 'too_large',
  })
})

test('readZip() refuses too many files, what is cut short and what is no zip', async () => {
  const many = zipSync(Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`${n}.txt`, strToU8('x')])))
  await expect(readZip(inPieces(many), { bytes: 1e6, files: 10 })).rejects.toMatchObject({ code: 'too_large' })
  const long = zipSync({ 'a.txt': [crypto.getRandomValues(new Uint8Array(5000)), { level: 0 }] })
  await expect(readZip(inPieces(long.subarray(0, 3000)))).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(readZip(inPieces(strToU8('not a zip')))).rejects.toMatchObject(refused('invalid_input', /is no zip$/))
  await expect(readZip(inPieces(zipSync({})))).rejects.toMatchObject(refused('invalid_input', /has no files in it$/))
  const packed = zipSync({ 'a.txt': strToU8('a text that is packed, packed, packed') })
  const damaged = readZip(inPieces(packed.with(40, 255 - (packed[40] ?? 0))))
  await expect(damaged).rejects.toMatchObject(refused('invalid_input', /damaged$/))
})

test('readZip() refuses an archive that is cut short anywhere, between two files too', async () => {
  const zip = zipSync({ 'a.txt': strToU8('a'), 'b.txt': strToU8('b'), 'c.txt': strToU8('c') }, { level: 0 })
  for (let length = 0; length < zip.length; length++) {
    await expect(readZip(inPieces(zip.subarray(0, length)))).rejects.toMatchObject({ code: 'invalid_input' })
  }
  expect(await readZip(inPieces(zip))).toHaveLength(3)
})

test('readZip() refuses what is damaged or encrypted, and takes only what the directory lists', async () => {
  const zip = zipSync({ 'a.txt': strToU8('content'), 'b.txt': strToU8('b') }, { level: 0 })
  const changed = (at: number, byte: number) => inPieces(zip.with(at, byte))
  const text = Buffer.from(zip)
  const damaged = readZip(changed(text.indexOf('content'), 67))
  await expect(damaged).rejects.toMatchObject(refused('invalid_input', /"a.txt" is damaged/))
  const directory = text.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  await expect(readZip(changed(directory + 8, 1))).rejects.toMatchObject(refused('invalid_input', /is encrypted/))
  const renamed = readZip(changed(directory + 46, 'z'.charCodeAt(0)))
  await expect(renamed).rejects.toMatchObject(refused('invalid_input', /"z.txt" is not in it/))
})

test('readZip() reads names in UTF-8 where the archive does not say so, as Macs write them', async () => {
  // the same length in bytes, and no word on which letters they are
  const zip = Buffer.from(zipSync({ 'u-bung.txt': strToU8('x') }))
  for (let at = zip.indexOf('u-bung'); at !== -1; at = zip.indexOf('u-bung')) zip.set(Buffer.from('übung'), at)
  expect((await readZip(inPieces(zip))).map(({ path }) => path)).toEqual(['übung.txt'])
})
