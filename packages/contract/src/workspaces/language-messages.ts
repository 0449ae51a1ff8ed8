import { z } from 'zod'
import { text } from '../wire/text.ts'
import { workspacePath } from './workspace.ts'

const number = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
/** Counted from 1, in UTF-16 units, as editors do. */
const place = z.number().int().min(1).max(10_000_000)

/** What an editor asks of the language server of a workspace. */
const languageQuestions = ['completion', 'hover', 'signature', 'definition'] as const
export type LanguageQuestion = (typeof languageQuestions)[number]

/** What an editor says on `WS /api/v1/workspaces/{id}/languages/python`. Texts are those of the workspace: nobody sends one. */
export const languageRequest = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('open'), path: workspacePath }),
  z.strictObject({ type: z.literal('close'), path: workspacePath }),
  z.strictObject({
    type: z.literal('ask'),
    /** Names the answer. */
    id: number,
    about: z.enum(languageQuestions),
    path: workspacePath,
    line: place,
    column: place,
    /** What was typed to ask for it, such as a dot. */
    typed: text().max(1).optional(),
    /** What the editor has written so far: its client in the document, and how far that has come. The answer is about no older text. */
    wrote: z.strictObject({ client: number, clock: number }).optional(),
  }),
  /** More about one completion of an answer. */
  z.strictObject({ type: z.literal('describe'), id: number, of: number, index: z.number().int().min(0).max(10_000) }),
  z.strictObject({ type: z.literal('cancel'), id: number }),
])
export type LanguageRequest = z.infer<typeof languageRequest>

export interface TextPlace {
  line: number
  column: number
}

export interface TextRange {
  start: TextPlace
  end: TextPlace
}

export interface TextReplacement {
  range: TextRange
  text: string
}

/** Kinds of what can be completed, by their numbers in the Language Server Protocol, from 1. */
export const completionKinds = [
  ...['text', 'method', 'function', 'constructor', 'field', 'variable', 'class', 'interface', 'module', 'property'],
  ...['unit', 'value', 'enum', 'keyword', 'snippet', 'color', 'file', 'reference', 'folder', 'enum-member', 'constant'],
  ...['struct', 'event', 'operator', 'type-parameter'],
] as const

export interface Completion {
  label: string
  kind: string
  /** Beside the label, such as the module that it would be imported from. */
  detail?: string
  insert: string
  range?: TextRange
  sort?: string
  filter?: string
  isDeprecated?: true
  /** Elsewhere in the file, such as an import. */
  edits?: TextReplacement[]
}

export interface LanguageProblem {
  range: TextRange
  severity: 'error' | 'warning' | 'info' | 'hint'
  message: string
  code?: string
  tags?: ('unnecessary' | 'deprecated')[]
}

export interface LanguageSignature {
  label: string
  markdown: string
  parameters: { label: string | [number, number]; markdown: string }[]
}

/** Null where nothing is known of the place. */
export interface LanguageAnswers {
  completion: { items: Completion[]; isIncomplete: boolean } | null
  hover: { markdown: string; range?: TextRange } | null
  signature: { signatures: LanguageSignature[]; active: number; activeParameter: number } | null
  /** Within the workspace. */
  definition: { path: string; range: TextRange }[] | null
  describe: { markdown: string; edits?: TextReplacement[] } | null
}

/** `asleep` starts with the next question or edit; `failed` tries again by itself, unless it was given up. */
export type LanguageServerState = 'starting' | 'ready' | 'asleep' | 'failed' | 'unavailable'

/** What the language server of a workspace says to an editor. */
export type LanguageEvent =
  | { type: 'state'; state: LanguageServerState; reason?: string }
  | { type: 'answer'; id: number; value: LanguageAnswers[keyof LanguageAnswers] }
  /** It cannot be answered: the text is gone, or it took too long. */
  | { type: 'failure'; id: number; message: string }
  /** All that is wrong in a file that is open. */
  | { type: 'problems'; path: string; problems: LanguageProblem[] }
