import { createHash } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  name: string
  content?: Buffer | string
  /** Of Unix, with its kind: 0o120777 is a symbolic link. */
  mode?: number
  /** What the directory says instead of the truth. */
  claims?: { size?: number; crc?: number; offset?: number; name?: string; method?: number; flags?: number }
}

/** A zip archive, as strange as a test wants it. */
export function makeZip(parts: readonly ZipPart[]): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content = '', mode = 0o100644, claims = {} } of parts) {
    const plain = Buffer.from(content)
    const packed = deflateRawSync(plain)
    const encoded = Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(20, 4)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(crc32(plain), 14)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt32LE(plain.length, 22)
    local.writeUInt16LE(encoded.length, 26)
    bodies.push(local, encoded, packed)
    const told = Buffer.from(claims.name ?? name)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE((3 << 8) | 20, 4)
    entry.writeUInt16LE(20, 6)
    entry.writeUInt16LE(claims.flags ?? 0, 8)
    entry.writeUInt16LE(claims.method ?? 8, 10)
    entry.writeUInt32LE(claims.crc ?? crc32(plain), 16)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(claims.size ?? plain.length, 24)
    entry.writeUInt16LE(told.length, 28)
    entry.writeUInt32LE((mode << 16) >>> 0, 38)
    entry.writeUInt32LE(claims.offset ?? offset, 42)
    directory.push(entry, told)
    offset += local.length + encoded.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(parts.length, 0xffff), 8)
  end.writeUInt16LE(Math.min(parts.length, 0xffff), 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, listed, end])
}

export interface WheelSpec {
  name: string
  version: string
  files?: Record<string, string | Buffer>
  /** Dependencies, as metadata has them. */
  requires?: readonly string[]
  scripts?: Record<string, string>
  /** As in file names; a wheel for every machine otherwise. */
  tag?: string
  requiresPython?: string
  /** Added after RECORD was made, so that it does not name them. */
  unrecorded?: readonly ZipPart[]
  /** RECORD as a test wants it. */
  record?: (lines: string[]) => string[]
}

export interface Wheel {
  filename: string
  bytes: Buffer
  metadata: string
}

export function makeWheel(spec: WheelSpec): Wheel {
  const { name, version, files = {}, requires = [], scripts = {}, tag = 'py3-none-any' } = spec
  const stem = `${name.replaceAll(/[-.]+/g, '_')}-${version}`
  const info = `${stem}.dist-info`
  const metadata = [
    ...['Metadata-Version: 2.1', `Name: ${name}`, `Version: ${version}`, `Summary: ${name} of a test`],
    ...(spec.requiresPython ? [`Requires-Python: ${spec.requiresPython}`] : []),
    ...requires.map((one) => `Requires-Dist: ${one}`),
    '',
  ].join('\n')
  const entries = Object.entries(scripts).map(([script, call]) => `${script} = ${call}`)
  const parts: ZipPart[] = [
    ...Object.entries(files).map(([path, content]) => ({ name: path, content })),
    { name: `${info}/METADATA`, content: metadata },
    { name: `${info}/WHEEL`, content: `Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: ${tag}\n` },
    ...(entries.length > 0
      ? [{ name: `${info}/entry_points.txt`, content: `[console_scripts]\n${entries.join('\n')}\n` }]
      : []),
  ]
  const lines = parts.map(({ name: path, content = '' }) => {
    const digest = createHash('sha256').update(content).digest('base64url')
    return `${path},sha256=${digest},${Buffer.byteLength(content)}`
  })
  const { record = (same: string[]) => same } = spec
  parts.push({ name: `${info}/RECORD`, content: `${record([...lines, `${info}/RECORD,,`]).join('\n')}\n` })
  return { filename: `${stem}-${tag}.whl`, bytes: makeZip([...parts, ...(spec.unrecorded ?? [])]), metadata }
}
