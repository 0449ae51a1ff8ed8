import type { LiveAnswer } from '@coherex/contract'

/** What was heard of a turn, and up to where. */
export interface HeardBefore {
  turnId: string
  answer: LiveAnswer
  /** Id of the last event. */
  last: string
}

// among the drafts, which are forgotten when another person comes
const key = 'coherex.draft.heard'
// plots are part of an answer: more is heard again instead
const mostLetters = 1_000_000

/** For the page that comes after a reload: it goes on from here instead of hearing all of it again. */
export function keepHeard(heard: HeardBefore): void {
  try {
    const text = JSON.stringify(heard)
    if (text.length <= mostLetters) sessionStorage.setItem(key, text)
  } catch {
    // blocked or full storage only costs a moment
  }
}

/** What the page before kept, once. */
export function takeHeard(): HeardBefore | undefined {
  try {
    const text = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return text === null ? undefined : (JSON.parse(text) as HeardBefore)
  } catch {
    return undefined
  }
}
