import type { AssistKind } from '@coherex/contract'

/** A place to help at. */
export interface SuggestPlace {
  language: string
  prefix: string
  suffix: string
}

/** What somebody asks about in the editor. */
export interface HelpSubject {
  kind: AssistKind
  language: string
  /** The file as it is shown. */
  text: string
  /** Offsets of what is selected. */
  selection: { from: number; to: number } | undefined
  /** What is wrong there. */
  error: string | undefined
}

/** Help of a model in an editor. */
export interface EditorHelp {
  /** What to write at the cursor; left out where nobody wants it. */
  suggest?: ((place: SuggestPlace, signal: AbortSignal) => Promise<string>) | undefined
  /** Answers what is asked about the code; left out where nothing could show the answer. */
  ask?: ((subject: HelpSubject) => void) | undefined
}

/** Where it is remembered that somebody wants no suggestions. */
export const suggestionsOffKey = 'suggestions-off'
