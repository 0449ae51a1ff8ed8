import { languageFacts, type Language } from '@coherex/contract'
import { CodeEditor } from '../editor/code-editor.tsx'
import { CodeText } from '../markdown/code-block.tsx'
import { useHighlighted } from '../markdown/use-highlighted.ts'

interface BlockCodeProps {
  label: string
  /** Where the editor keeps it. */
  folder: string
  language: string
  code: string
  isEditing: boolean
  /** What is typed goes there as soon as it is there. */
  autoFocus: boolean
  isNumbered: boolean
  /** The line that failed. */
  mark: number | undefined
  onChange: (code: string) => void
  onRun?: (() => void) | undefined
}

const lineHeight = 20
const endings: Record<string, string> = { 'vega-lite': 'json', vega: 'json', vegalite: 'json', markdown: 'md' }

export function BlockCode(props: BlockCodeProps) {
  const { label, folder, language, code, isEditing, autoFocus, isNumbered, mark, onChange, onRun } = props
  if (!isEditing)
    return isNumbered || mark ? <NumberedCode {...props} /> : <CodeText text={code} language={language} label={label} />
  const path = Object.hasOwn(languageFacts, language)
    ? languageFacts[language as Language].entry
    : `block.${endings[language] ?? language}`
  const lines = Math.min(24, Math.max(3, code.split('\n').length + 1))
  return (
    <div className="flex flex-col" style={{ height: lines * lineHeight + 22 }}>
      <CodeEditor
        label={label}
        folder={folder}
        files={{ [path]: code }}
        active={path}
        onChange={(_, text) => onChange(text)}
        onRun={onRun}
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
            className={`flex pr-3 ${index + 1 === mark ? 'bg-red-soft shadow-[inset_2px_0_0_var(--red)]' : ''}`}
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
