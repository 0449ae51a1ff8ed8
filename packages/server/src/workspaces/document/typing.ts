import type { Author } from '@coherex/contract'

/** When a run of keystrokes becomes a version. */
export interface TypingRules {
  /** Without a keystroke for this long. */
  pauseMs: number
  /** At the latest after this long. */
  longestMs: number
  /** Another author begins a version of their own, unless this one is younger: then they share it. */
  sharedMs: number
}

export const typingRules: TypingRules = { pauseMs: 3000, longestMs: 300_000, sharedMs: 2000 }

/** Changes since the last version that wait to become one: whose they are and what they touched. */
export interface Typing {
  author: Author
  coauthors: Author[]
  since: number
  /** Paths whose entries changed, and ids of texts that did. */
  paths: Set<string>
  texts: Set<string>
  /** All of it came from other server processes, which will most likely close it themselves. */
  isRemote: boolean
}

function isSameAuthor(a: Author, b: Author): boolean {
  return a.kind === b.kind && a.id === b.id && a.door === b.door
}

/** Whether the author's next change begins another version. */
export function beginsAnother(typing: Typing, author: Author, now: number, { sharedMs }: TypingRules): boolean {
  const isIn = isSameAuthor(typing.author, author) || typing.coauthors.some((one) => isSameAuthor(one, author))
  return !isIn && now - typing.since >= sharedMs
}

export function startTyping(author: Author, since: number, isRemote: boolean): Typing {
  return { author, coauthors: [], since, paths: new Set(), texts: new Set(), isRemote }
}

export function joinTyping(typing: Typing, author: Author, isRemote: boolean): void {
  if (!isRemote) typing.isRemote = false
  if (isSameAuthor(typing.author, author) || typing.coauthors.some((one) => isSameAuthor(one, author))) return
  typing.coauthors.push(author)
}
