import type { Run } from '@coherex/contract'
import { Copy } from 'lucide-react'
import { IconButton } from '../../ui/icon-button.tsx'
import { copyText } from '../../ui/text/copy-text.ts'
import { toast } from '../../ui/toast/toast.ts'
import { JsonTree } from '../json-tree.tsx'

/** The value the program came to: as its language writes it, and its parts as JSON. */
export function RunResult({ run, alone }: { run: Pick<Run, 'result' | 'resultText'>; alone: boolean }) {
  const { result: value, resultText: text } = run
  const hasParts = typeof value === 'object' && value !== null
  const copy = () =>
    void copyText(JSON.stringify(value, null, 2)).then((done) => done && toast({ title: 'Result copied' }))
  return (
    <section
      aria-label="Result"
      className={alone ? 'min-h-0 flex-1 overflow-y-auto' : 'max-h-[45%] shrink-0 overflow-y-auto border-t border-line'}
    >
      <header className="sticky top-0 z-10 flex h-9 items-center justify-between bg-surface pr-2 pl-4">
        <h2 className="text-small font-medium text-muted">Result</h2>
        <IconButton label="Copy result as JSON" size="small" icon={<Copy aria-hidden />} onClick={copy} />
      </header>
      <div className="px-3 pb-3">
        {text !== undefined && (
          <pre className="px-1 font-mono text-small leading-5 whitespace-pre-wrap break-words">{text}</pre>
        )}
        {(text === undefined || hasParts) && <JsonTree value={value} />}
      </div>
    </section>
  )
}
