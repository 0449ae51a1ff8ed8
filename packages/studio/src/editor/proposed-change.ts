/** Lines that a change takes out of a text, and those that come in their place. */
export interface ChangedBlock {
  /** The first removed line, or the line before which others come in; counted from 1. */
  line: number
  removed: string[]
  added: string[]
}

/** A hunk of an edit that waits for a person, in the text it would change. */
export interface ProposedChange {
  /** Who proposes it, and why. */
  title: string
  blocks: readonly ChangedBlock[]
  /** Undefined for those who only read. */
  decide: ((decision: 'accept' | 'reject') => void) | undefined
}
