import type { TurnChanges } from '@coherex/contract'

type Item = TurnChanges['items'][number]

/** One file that an answer changed, however often. */
export interface ChangedFile extends Omit<Item, 'version'> {
  /** The version before its first change, and the one after its last. */
  before: number
  after: number
}

/** The files of an answer in the order it first changed them, each with all that was done to it. */
export function filesOfTurn(items: TurnChanges['items']): ChangedFile[] {
  const files = new Map<string, ChangedFile>()
  for (const { version, ...item } of items) {
    const known = files.get(item.path)
    if (!known) files.set(item.path, { ...item, before: version - 1, after: version })
    else files.set(item.path, { ...joined(known, item), before: known.before, after: version })
  }
  return [...files.values()]
}

function joined(known: ChangedFile, item: Omit<Item, 'version'>): Omit<Item, 'version'> {
  const change = item.change === 'deleted' ? 'deleted' : known.change === 'added' ? 'added' : item.change
  return { ...item, change, binary: known.binary || item.binary, diff: known.diff + item.diff }
}
