import { useEffect, type RefObject } from 'react'
import type { EditorResult } from './code-editor.tsx'
import { monaco } from './monaco.ts'

const longest = 120

/** Shows what lines came to at their ends, muted, until the text is typed in. */
export function useShownResults(
  editor: RefObject<monaco.editor.IStandaloneCodeEditor | undefined>,
  results: readonly EditorResult[] | undefined,
): void {
  useEffect(() => {
    const made = editor.current
    const model = made?.getModel()
    if (!made || !model || !results) return undefined
    const shown = made.createDecorationsCollection(
      results
        .filter(({ line }) => line >= 1 && line <= model.getLineCount())
        .map(({ line, text, isError }) => {
          const column = model.getLineMaxColumn(line)
          return {
            range: new monaco.Range(line, column, line, column),
            options: {
              showIfCollapsed: true,
              after: {
                content: `  ${isError ? '' : '= '}${shorten(text)}`,
                inlineClassName: isError ? 'line-error' : 'line-result',
              },
            },
          }
        }),
    )
    const listening = made.onDidChangeModelContent(() => shown.clear())
    return () => {
      listening.dispose()
      shown.clear()
    }
  }, [editor, results])
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line
}
