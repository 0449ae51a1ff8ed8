import { languageFacts, type Language, type Sandbox } from '@coherex/contract'
import { Play } from 'lucide-react'
import { useRunCreate } from '../../data/run/run-create.ts'
import { CodeEditor } from '../../editor/code-editor.tsx'
import { useDraft } from '../../shell/draft.ts'
import { useRight } from '../../shell/rights.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Reason } from '../../ui/reason.tsx'
import { Select } from '../../ui/select.tsx'
import { languageChoices } from './sandbox-words.ts'

/** The cell that comes next. What was typed survives a reload. */
export function NewCell({ sandbox: { id, language: usual } }: { sandbox: Sandbox }) {
  const create = useRunCreate()
  const draft = useDraft(`cell.${id}`, { code: '', language: usual ?? ('python' as Language) })
  const { may, why } = useRight('editor', 'run cells')
  const { code, language } = draft.value
  const { entry } = languageFacts[language]

  function run() {
    if (!may || code.trim() === '' || create.isPending) return
    create.mutate(
      { query: { wait: 'false' }, body: { sandboxId: id, language, code } },
      { onSuccess: () => draft.forget({ code: '', language }) },
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
          onChange={(_, text) => draft.change({ code: text })}
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
