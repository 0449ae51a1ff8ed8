import { createHash } from 'node:crypto'
import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ArchiveGuard, ArchiveRefused, type ArchiveLimits } from './archive-guard.ts'
import { type ZipEntry, ZipFile } from './read-zip.ts'
import { needsRecord, type RecordedFile, readRecord } from './wheel-record.ts'
import { consoleScripts, scriptText } from './wheel-scripts.ts'

const maxMetadata = 20_000_000

/**
 * Unpacks a wheel: its modules below `site`, its programs below `bin`. Each file is what its RECORD says. For a thread:
 * it writes synchronously.
 */
export async function unpackWheel(
  file: string,
  directory: string,
  limits: ArchiveLimits,
): Promise<{ files: number; bytes: number }> {
  const zip = new ZipFile(file, limits)
  try {
    const guard = new ArchiveGuard(limits)
    const info = findInfo(zip)
    const record = readRecord(readText(zip, `${info}/RECORD`) ?? '')
    const made = new Set<string>()
    // all of them before the first is written
    const planned = zip.entries.flatMap((entry) => {
      if (entry.kind !== 'file' && entry.kind !== 'directory') guard.refuseKind(entry.path, entry.kind)
      const path = guard.enter(entry.path, entry.size)
      return entry.kind === 'directory' ? [] : [{ entry, path, target: placeOf(path, info) }]
    })
    for (const { entry, path, target } of planned) {
      const recorded = record.get(path)
      if (!recorded && needsRecord(path)) throw lies(`it does not name "${path.slice(0, 100)}"`)
      const whole = join(directory, target.path)
      makeFolder(dirname(whole), made)
      if (target.isScript) writeScript(zip, entry, { whole, path, recorded })
      else await writeFile(zip, entry, { whole, path, recorded })
    }
    for (const script of consoleScripts(readText(zip, `${info}/entry_points.txt`) ?? '')) {
      const whole = join(directory, guard.enter(`bin/${script.name}`, 0))
      makeFolder(dirname(whole), made)
      writeFileSync(whole, scriptText(script), { mode: 0o755 })
    }
    return guard.entered
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const isClash = code === 'ENOTDIR' || code === 'EISDIR' || code === 'EEXIST'
    throw isClash ? new ArchiveRefused('invalid_input', 'one of its files is also a folder') : error
  } finally {
    zip.close()
  }
}

function makeFolder(folder: string, made: Set<string>): void {
  if (made.has(folder)) return
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  made.add(folder)
}

interface Written {
  whole: string
  path: string
  recorded: RecordedFile | undefined
}

async function writeFile(zip: ZipFile, entry: ZipEntry, { whole, path, recorded }: Written): Promise<void> {
  const hash = recorded && createHash(recorded.algorithm)
  const target = openSync(whole, 'w', 0o644)
  try {
    for await (const piece of zip.read(entry)) {
      hash?.update(piece)
      for (let at = 0; at < piece.length;) at += writeSync(target, piece, at)
    }
  } finally {
    closeSync(target)
  }
  if (hash && recorded && hash.digest('base64url') !== recorded.digest) throw differs(path)
  if (entry.isExecutable) chmodSync(whole, 0o755)
}

function writeScript(zip: ZipFile, entry: ZipEntry, { whole, path, recorded }: Written): void {
  const content = zip.readWhole(entry, Math.max(maxMetadata, 500_000_000))
  if (recorded && createHash(recorded.algorithm).update(content).digest('base64url') !== recorded.digest) {
    throw differs(path)
  }
  const head = /^#!pythonw?[^\n]*\n/.exec(content.toString('latin1', 0, 200))
  const body = head
    ? Buffer.concat([Buffer.from('#!/usr/bin/env python3\n'), content.subarray(head[0].length)])
    : content
  writeFileSync(whole, body, { mode: 0o755 })
}

/** The one folder of metadata, which names the wheel. */
function findInfo({ entries }: ZipFile): string {
  const found = new Set(
    entries.flatMap(({ path }) => /^([^/]+\.dist-info)\/(?:METADATA|WHEEL|RECORD)$/.exec(path)?.[1] ?? []),
  )
  const [info, ...others] = found
  if (info === undefined) throw new ArchiveRefused('invalid_input', 'it is not a wheel: it has no metadata')
  if (others.length > 0) throw new ArchiveRefused('invalid_input', 'it has metadata of several packages')
  return info
}

function readText(zip: ZipFile, path: string): string | undefined {
  const entry = zip.entries.find((one) => one.path === path)
  return entry && zip.readWhole(entry, maxMetadata).toString('utf8')
}

function placeOf(path: string, info: string): { path: string; isScript?: true } {
  const data = `${info.replace(/\.dist-info$/, '')}.data/`
  if (!path.startsWith(data)) return { path: `site/${path}` }
  const [scheme = '', ...rest] = path.slice(data.length).split('/')
  const inside = rest.join('/')
  if (inside === '') throw new ArchiveRefused('invalid_input', `"${path.slice(0, 100)}" has no place`)
  if (scheme === 'purelib' || scheme === 'platlib') return { path: `site/${inside}` }
  if (scheme === 'scripts') return { path: `bin/${inside}`, isScript: true }
  if (scheme === 'headers') return { path: `include/${inside}` }
  if (scheme === 'data')
    return inside.startsWith('bin/') ? { path: inside, isScript: true } : { path: `data/${inside}` }
  throw new ArchiveRefused('invalid_input', `"${path.slice(0, 100)}" has no place`)
}

function lies(why: string): ArchiveRefused {
  return new ArchiveRefused('invalid_input', `its RECORD is wrong: ${why}`)
}

function differs(path: string): ArchiveRefused {
  return lies(`"${path.slice(0, 100)}" has another content`)
}
