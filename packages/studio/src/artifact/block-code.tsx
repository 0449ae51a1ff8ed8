import { useMemo } from 'react'
import { CodeEditor } from '../editor/code-editor.tsx'
import type { LiveBlock } from '../live/live-block.ts'
import { CodeText } from '../markdown/code-block.tsx'
import { useHighlighted } from '../markdown/use-highlighted.ts'
import { useBlockHelp } from './use-block-help.ts'

interface BlockCodeProps {
  label: string
  /** Where the editor keeps it. */
  folder: string
  language: string
  code: string
  /** The name that the editor has it under. */
  path: string
  /** Several type in it. */
  live: LiveBlock | undefined
  isEditing: boolean
  /** What is typed goes there as soon as it is there. */
  autoFocus: boolean
  isNumbered: boolean
  /** The line that failed, and why. */
  mark: { line: number; message: string } | undefined
  onChange: (code: string) => void
  onRun?: (() => void) | undefined
}

const lineHeight = 20

export function BlockCode(props: BlockCodeProps) {
  const { label, language, code, isEditing, isNumbered, mark } = props
  if (isEditing) return <EditedCode {...props} />
  return isNumbered || mark ? <NumberedCode {...props} /> : <CodeText text={code} language={language} label={label} />
}

function EditedCode({ label, folder, path, code, live, autoFocus, mark, onChange, onRun }: BlockCodeProps) {
  const help = useBlockHelp(path)
  const { line, message } = mark ?? {}
  // the editor draws them anew for each new list
  const marks = useMemo(
    () => (line === undefined || message === undefined ? [] : [{ path, line, message }]),
    [path, line, message],
  )
  const lines = Math.min(24, Math.max(3, code.split('\n').length + 1))
  return (
    <div className="flex flex-col" style={{ height: lines * lineHeight + 22 }}>
      <CodeEditor
        label={label}
        folder={folder}
        files={{ [path]: code }}
        active={path}
        live={live && { texts: live, textId: live.textId, mayWrite: true, onTyped: () => undefined }}
        onChange={(_, text) => onChange(text)}
        onRun={onRun}
        help={help}
        marks={marks}
        autoFocus={autoFocus}
      />
    </div>
  )
}

function NumberedCode({ label, code, language, mark }: BlockCodeProps) {
  const shown = code.replace(/\n+$/, '')
  const lines = useHighlighted(shown, language)
  const plain = shown.split('\n')
  return (
    <pre
      tabIndex={0}
      role="region"
      aria-label={label}
      className="max-h-120 overflow-auto py-2 text-small leading-5 [font-variant-ligatures:none]"
    >
      <code className="block w-max min-w-full">
        {plain.map((text, index) => (
          <span
            key={index}
            className={`flex pr-3 ${index + 1 === mark?.line ? 'bg-red-soft shadow-[inset_2px_0_0_var(--red)]' : ''}`}
          >
            <span aria-hidden className="w-10 shrink-0 pr-3 text-right text-muted tabular select-none">
              {index + 1}
            </span>
            <span>
              {lines?.[index]?.map(({ content, color }, at) => (
                <span key={at} style={color ? { color } : undefined}>
                  {content}
                </span>
              )) ?? text}
              {'\n'}
            </span>
          </span>
        ))}
      </code>
    </pre>
  )
}
