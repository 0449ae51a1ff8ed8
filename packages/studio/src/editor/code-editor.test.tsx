// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPage } from '../../tests/open-page.tsx'
import { CodeEditor, type CodeEditorProps, type EditorCursor } from './code-editor.tsx'

// the large editor measures letters, which takes a browser
const shown = vi.hoisted((): { props: (CodeEditorProps & { start?: EditorCursor })[] } => ({ props: [] }))
vi.mock('./monaco-editor.tsx', () => ({
  MonacoEditor(props: CodeEditorProps & { start?: EditorCursor }) {
    shown.props.push(props)
    return <div data-testid="large" />
  },
}))
const large = () => document.querySelector('[data-testid=large]')
const files = { 'a.txt': 'one\ntwo\n' }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('CodeEditor shows the text at once, and the large editor at the first key, with the caret where it was', async () => {
  await openPage(<CodeEditor label="a.txt" folder="f" files={files} active="a.txt" onChange={() => undefined} />)
  const area = document.querySelector('textarea')
  expect(area?.value).toBe(files['a.txt'])
  await act(() => vi.advanceTimersByTimeAsync(2_900))
  expect(large()).toBeNull()
  area?.focus()
  area?.setSelectionRange(5, 5)
  await act(async () => {
    area?.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', bubbles: true }))
    await vi.dynamicImportSettled()
  })
  expect(large()).not.toBeNull()
  expect(shown.props.at(-1)).toMatchObject({ autoFocus: true, start: { line: 2, column: 2 } })
})
