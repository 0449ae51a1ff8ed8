import { ArchiveRefused } from './archive-guard.ts'

/** What a wheel says of one of its files. */
export interface RecordedFile {
  algorithm: 'sha256' | 'sha384' | 'sha512'
  /** In Base64 for URLs, without padding. */
  digest: string
}

const signatures = /^[^/]+\.dist-info\/RECORD(?:\.jws|\.p7s)?$/

/** RECORD of a wheel: CSV with path, hash and size. */
export function readRecord(text: string): Map<string, RecordedFile> {
  const files = new Map<string, RecordedFile>()
  for (const line of text.split(/\r?\n/)) {
    if (line === '') continue
    const match = /^(?:"((?:[^"]|"")*)"|([^",]*)),([^,]*),([^,]*)$/.exec(line)
    if (!match) throw new ArchiveRefused('invalid_input', 'its RECORD cannot be read')
    const path = match[1]?.replaceAll('""', '"') ?? match[2] ?? ''
    const [, algorithm, digest] = /^(sha256|sha384|sha512)=([A-Za-z0-9_-]+)=*$/.exec(match[3] ?? '') ?? []
    if (algorithm && digest) files.set(path, { algorithm: algorithm as RecordedFile['algorithm'], digest })
  }
  return files
}

/** RECORD and its signatures cannot have hashes of themselves. */
export function needsRecord(path: string): boolean {
  return !signatures.test(path)
}
