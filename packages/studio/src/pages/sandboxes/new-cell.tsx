import { languageFacts, type Language, type Sandbox } from '@coherex/contract'
import { Play } from 'lucide-react'
import { useRef } from 'react'
import { useRight } from '../../data/rights.ts'
import { useRunCreate } from '../../data/run/run-create.ts'
import { CodeEditor } from '../../editor/code-editor.tsx'
import { Button } from '../../ui/button.tsx'
import { useDraft } from '../../ui/draft.ts'
import { FormError } from '../../ui/form-error.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Reason } from '../../ui/reason.tsx'
import { Select } from '../../ui/select.tsx'
import { cellTimeChoices, languageChoices } from './sandbox-words.ts'

/** The cell that comes next. What was typed survives a reload. */
export function NewCell({ sandbox: { id, language: usual } }: { sandbox: Sandbox }) {
  const create = useRunCreate()
  const draft = useDraft(`cell.${id}`, initialOf(usual))
  const { may, why } = useRight('editor', 'run cells')
  const { code, language, time } = draft.value
  // the key that runs it may come before what was typed is drawn
  const typed = useRef(code)
  const { entry } = languageFacts[language]

  function write(text: string) {
    typed.current = text
    if (text === '') draft.forget({ code: '', language, time })
    else draft.change({ code: text })
  }
  function run() {
    const sent = typed.current
    if (!may || sent.trim() === '' || create.isPending) return
    // at once: what is typed from here on is the next cell
    write('')
    create.mutate(
      {
        query: { wait: 'false' },
        body: { sandboxId: id, language, code: sent, interactive: true, limits: { timeoutMs: Number(time) } },
      },
      { onError: () => write([sent, typed.current].filter(Boolean).join('\n')) },
    )
  }
  return (
    <section aria-label="Next cell" className="overflow-hidden rounded-lg border border-line-strong bg-surface">
      <div className="flex h-40 flex-col">
        <CodeEditor
          label="Code of the next cell"
          folder={`sandbox-${id}`}
          files={{ [entry]: code }}
          active={entry}
          onChange={(_, text) => write(text)}
          onRun={run}
        />
      </div>
      <FormError error={create.error} />
      <footer className="flex items-center gap-2 border-t border-line bg-sunken px-2 py-1.5">
        <Select
          label="Language"
          size="small"
          className="w-36!"
          value={language}
          choices={languageChoices}
          onChange={(next) => draft.change({ language: next })}
        />
        <Select
          label="Time limit"
          size="small"
          className="w-22!"
          value={time}
          choices={cellTimeChoices}
          onChange={(next) => draft.change({ time: next })}
        />
        <span className="flex-1" />
        <span className="text-small text-muted max-sm:hidden">
          <Kbd keys="mod enter" />
        </span>
        <Reason why={why}>
          <Button
            look="primary"
            size="small"
            icon={<Play aria-hidden />}
            disabled={!may || code.trim() === ''}
            busy={create.isPending}
            onClick={run}
          >
            Run cell
          </Button>
        </Reason>
      </footer>
    </section>
  )
}

type CellTime = (typeof cellTimeChoices)[number]['value']

function initialOf(usual: Language | null): { code: string; language: Language; time: CellTime } {
  return { code: '', language: usual ?? 'python', time: '120000' }
}
