import { CoherexError } from '@coherex/contract'
import { applyPatch, parsePatch } from 'diff'
import { hashOf } from '../content-codec.ts'
import { unifiedDiff } from '../versions/unified-diff.ts'

export interface ChosenHunks {
  /** Of the diff in which they were seen. */
  digest: string
  /** Counted from 0. */
  hunks: readonly number[]
}

/** The text with some hunks of a change, as they were seen. */
export function acceptHunks(change: HunkedChange, chosen: ChosenHunks): string {
  return applyHunks(change, chosen, (isChosen) => isChosen)
}

/** The text with all hunks but some, as they were seen. */
export function leaveHunks(change: HunkedChange, chosen: ChosenHunks): string {
  return applyHunks(change, chosen, (isChosen) => !isChosen)
}

interface HunkedChange {
  path: string
  before: string
  after: string
}

function applyHunks(
  { path, before, after }: HunkedChange,
  { digest, hunks }: ChosenHunks,
  isMade: (isChosen: boolean) => boolean,
): string {
  const diff = unifiedDiff({ path, before, after })
  if (hashOf(diff) !== digest) {
    throw new CoherexError('conflict', `Cannot decide parts of the proposal: "${path}" changed since you looked at it`)
  }
  const [patch] = parsePatch(diff)
  const accepted = patch?.hunks.filter((_, index) => isMade(hunks.includes(index))) ?? []
  const unknown = hunks.find((index) => index >= (patch?.hunks.length ?? 0))
  if (!patch || unknown !== undefined) {
    throw new CoherexError('invalid_input', `The proposal has no hunk ${unknown ?? 0}`)
  }
  // a change that is shown as a replacement has one hunk, which is all of it
  if (accepted.length === patch.hunks.length) return after
  const made = applyPatch(before, { ...patch, hunks: accepted })
  if (made === false) throw new Error(`Hunks of a fresh diff do not apply to "${path}"`)
  return made
}
