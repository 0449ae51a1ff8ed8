import { languageFacts, type Language } from '@coherex/contract'
import type { KeyboardEvent, MouseEvent } from 'react'
import type { NamesAfter } from '../data/sandbox.ts'
import { CodeEditor } from '../editor/code-editor.tsx'
import { CodeText } from '../markdown/code-block.tsx'

interface CellCodeProps {
  label: string
  /** Where the editor keeps it: one of its own for each cell. */
  folder: string
  language: Language
  source: string
  /** Without it the code is only shown. */
  onChange: ((source: string) => void) | undefined
  /** The large editor is there, which takes a while and some memory to make. */
  isEditing: boolean
  onEdit: () => void
  /** What is typed goes there. */
  autoFocus: boolean
  onRun: () => void
  onRunNext: (() => void) | undefined
  namesAfter: NamesAfter | undefined
}

const lineHeight = 20
const fewestLines = 2
const mostLines = 24

/** Code of a cell: coloured text that becomes an editor where somebody goes to type. */
export function CellCode(props: CellCodeProps) {
  const { label, folder, language, source, onChange, isEditing, onEdit, autoFocus, onRun, onRunNext, namesAfter } =
    props
  const { entry } = languageFacts[language]
  if (isEditing && onChange) {
    const lines = Math.min(mostLines, Math.max(fewestLines, source.split('\n').length))
    return (
      <div className="flex flex-col" style={{ height: lines * lineHeight + 22 }}>
        <CodeEditor
          label={label}
          folder={folder}
          files={{ [entry]: source }}
          active={entry}
          onChange={(_, text) => onChange(text)}
          onRun={onRun}
          onRunNext={onRunNext}
          namesAfter={namesAfter}
          autoFocus={autoFocus}
        />
      </div>
    )
  }
  function edit(event: MouseEvent | KeyboardEvent) {
    // whoever marks text wants to copy it
    if (!onChange || window.getSelection()?.toString()) return
    event.preventDefault()
    onEdit()
  }
  return (
    <div
      className={onChange ? 'min-h-12 cursor-text py-1' : 'py-1'}
      onClick={edit}
      onKeyDown={(event) => event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey && edit(event)}
    >
      {source.trim() === '' ? (
        <p className="px-3 py-2 text-small text-muted">{onChange ? 'Click to type code' : 'Empty'}</p>
      ) : (
        <CodeText text={source} language={language === 'node' ? 'javascript' : language} label={label} />
      )}
    </div>
  )
}
