import type { AssistKind } from '@coherex/contract'
import { useState } from 'react'
import type { Right } from '../../../data/access/rights.ts'
import { readSuggestion } from '../../../data/inline-help.ts'
import { useModelList } from '../../../data/library/model.ts'
import { suggestionsOffKey as offKey, type EditorHelp, type HelpSubject } from '../../../editor/help.ts'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { readStored, writeStored } from '../../../ui/state/stored.ts'

/** A question about a file, to be answered below the editor. */
export interface AskedHelp extends Omit<HelpSubject, 'language'> {
  path: string
  language?: string | undefined
  /** Another question is another answer. */
  number: number
}

// of a larger file the lines around are enough
const mostWhole = 20_000
const linesAround = 40

/** Help of a model in the files of a workspace; undefined where no model is set or one may not ask. */
export function useInlineHelp(live: LiveWorkspace | undefined, mayAsk: Right) {
  const hasModel = typeof useModelList().data?.defaultModel === 'string'
  const [asked, setAsked] = useState<AskedHelp>()
  const [isOff, setOff] = useState(() => readStored(offKey) !== undefined)
  if (!hasModel || !mayAsk.may) return undefined

  const ask = (subject: Omit<AskedHelp, 'number'>) => setAsked({ ...subject, number: (asked?.number ?? 0) + 1 })
  return {
    asked,
    close: () => setAsked(undefined),
    isSuggesting: !isOff,
    setSuggesting(next: boolean) {
      setOff(!next)
      writeStored(offKey, next ? undefined : 'yes')
    },
    /** About a file, or about a line of it where something is wrong. */
    askAbout(kind: AssistKind, path: string, wrong?: { line: number; message: string }) {
      // as editors show it: with plain line ends
      const text = live?.textAt(path)?.text.toString().replace(/\r\n?/g, '\n')
      if (text === undefined) return
      const error = wrong && `Line ${wrong.line}: ${wrong.message}`
      const selection = wrong && text.length > mostWhole ? linesAt(text, wrong.line) : undefined
      ask({ kind, path, text, selection, error })
    },
    /** For the editor of a file. */
    inFile: (path: string): EditorHelp => ({
      ask: (subject) => ask({ ...subject, path }),
      ...(!isOff && {
        suggest: async (place, signal) => (await readSuggestion({ path, ...place }, signal)).text,
      }),
    }),
  }
}

export type InlineHelp = NonNullable<ReturnType<typeof useInlineHelp>>

function linesAt(text: string, line: number): { from: number; to: number } {
  const lines = text.split('\n')
  const first = Math.max(0, line - 1 - linesAround)
  const last = Math.min(lines.length, line + linesAround)
  const from = lines.slice(0, first).join('\n').length + (first > 0 ? 1 : 0)
  return { from, to: from + lines.slice(first, last).join('\n').length }
}
