import { CoherexError } from '@coherex/contract'
import type { Database } from '../../base/index.ts'
import { readTexts } from '../content-store.ts'
import type { DocumentName } from '../document/document-store.ts'
import { selectHistory, selectTreeFile } from '../version-store.ts'

export interface TextHistory {
  /** The text as it was at the version that was read; empty when there was none. */
  base: string
  /** What it became since, step by step. */
  steps: { text: string; byPerson: boolean }[]
}

// longer histories are taken as one step of a person, which is on the safe side
const mostSteps = 100

/** How a text came to be what it is, from a version on. Everything typed has to be in a version already. */
export async function readHistory(
  database: Database,
  name: DocumentName,
  path: string,
  readVersion: number,
): Promise<TextHistory> {
  return database.transaction({ team: name.teamId }, async (transaction) => {
    const before = await selectTreeFile(transaction, name, readVersion, path)
    if (before?.kind === 'blob')
      throw new CoherexError('conflict', `Cannot merge "${path}": it was no text when it was read`)
    const all = await selectHistory(transaction, name, path, readVersion)
    const steps = all.length > mostSteps ? all.slice(-1) : all
    const hashes = steps.flatMap(({ kind, hash }) => (kind === 'text' && hash ? [hash] : []))
    const texts = await readTexts(transaction, name, before ? [before.hash, ...hashes] : hashes)
    return {
      base: before ? (texts.get(before.hash)?.toString() ?? '') : '',
      steps: steps.map(({ hash, author, coauthors }) => ({
        text: (hash && texts.get(hash)?.toString()) || '',
        byPerson: all.length > mostSteps || [author, ...coauthors].some(({ kind }) => kind === 'person'),
      })),
    }
  })
}
