import type { Fix, FixKind, RunError } from '@coherex/contract'
import { Cpu, Globe, Keyboard, Package, Scaling, type LucideIcon } from 'lucide-react'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useRight } from '../data/access/rights.ts'
import { Button } from '../ui/button.tsx'
import { TextArea } from '../ui/field/text-area.tsx'
import { CopyField } from '../ui/text/copy.tsx'

interface FixesProps {
  fixes: RunError['fixes']
  /** Carries it out. `stdin` is what was typed where input was missing. */
  onFix: (fix: Fix, stdin?: string) => void
  busy?: boolean | undefined
  /** Asked before it is carried out. */
  question?: ReactNode
}

const icons: Record<Exclude<FixKind, 'install-language'>, LucideIcon> = {
  'allow-host': Globe,
  'add-package': Package,
  'give-stdin': Keyboard,
  'raise-limit': Scaling,
  'use-process': Cpu,
}

/** What makes a failure go away, as buttons. Each names what it allows: a host comes from the code and may be anything. */
export function Fixes({ fixes = [], onFix, busy, question }: FixesProps) {
  const mayRun = useRight('editor', 'run code').may
  const mayInstall = useRight('admin', 'install languages').may
  const [typing, setTyping] = useState<Fix>()
  const shown = fixes.filter(({ kind }) => (kind === 'install-language' ? mayInstall : mayRun))
  if (shown.length === 0) return null
  const isAgain = shown.some(({ kind }) => kind !== 'install-language')
  return (
    <div className="mt-2 flex flex-col gap-2" role="group" aria-label="Fixes">
      <div className="flex flex-wrap items-center gap-2">
        {shown.map((fix) => {
          if (fix.kind === 'install-language') return null
          const Icon = icons[fix.kind]
          return (
            <Button
              key={`${fix.kind} ${fix.value}`}
              size="small"
              className="h-auto! min-h-7 max-w-full whitespace-normal! [overflow-wrap:anywhere]"
              title={fix.kind === 'allow-host' ? fix.value : undefined}
              aria-expanded={fix.kind === 'give-stdin' ? typing === fix : undefined}
              icon={<Icon aria-hidden />}
              busy={busy ?? false}
              onClick={() => (fix.kind === 'give-stdin' ? setTyping(typing ? undefined : fix) : onFix(fix))}
            >
              {fix.label}
            </Button>
          )
        })}
        {isAgain && <span className="text-small text-muted">It may repeat everything it did before.</span>}
      </div>
      {typing && <InputForm busy={busy} onGive={(text) => onFix(typing, text)} />}
      {shown.map(
        ({ kind, value, label }) => kind === 'install-language' && <CopyField key={value} label={label} text={value} />,
      )}
      {question}
    </div>
  )
}

function InputForm({ busy, onGive }: { busy: boolean | undefined; onGive: (text: string) => void }) {
  const [text, setText] = useState('')
  const give = (event: FormEvent) => {
    event.preventDefault()
    onGive(text)
  }
  return (
    <form className="flex flex-col items-start gap-2" onSubmit={give}>
      <TextArea
        aria-label="Standard input"
        placeholder="What the code reads, line by line"
        rows={3}
        className="font-mono text-small"
        value={text}
        autoFocus
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" look="primary" size="small" busy={busy ?? false}>
        Run again with this input
      </Button>
    </form>
  )
}
