import type { Language, Run, Sandbox } from '@coherex/contract'
import { useRef, useState } from 'react'
import { Cell } from '../../../cell/cell.tsx'
import { RunOptions } from '../../../cell/options/run-options.tsx'
import { noOptions } from '../../../cell/options/typed-options.ts'
import { useOptionCheck } from '../../../cell/options/use-option-check.ts'
import type { Right } from '../../../data/access/rights.ts'
import { useRunCreate } from '../../../data/run/run-create.ts'
import { useNamesAfter } from '../../../data/sandbox.ts'
import { FormError } from '../../../ui/field/form-error.tsx'
import { useDraft } from '../../../ui/state/draft.ts'
import { languageChoices } from '../sandbox-words.ts'
import { usualSeconds } from './use-notebook.ts'

interface NextCellProps {
  sandbox: Sandbox
  right: Right
  isEditing: boolean
  onEdit: () => void
  onStarted: (run: Pick<Run, 'id'>) => void
}

/** The cell that comes next: once it runs, it is part of the notebook. What was typed survives a reload. */
export function NextCell({ sandbox: { id, language: usual }, right, isEditing, onEdit, onStarted }: NextCellProps) {
  const create = useRunCreate()
  const draft = useDraft(`cell.${id}`, { code: '', language: usual ?? ('python' as Language) })
  const [options, setOptions] = useState(noOptions)
  const { check, read } = useOptionCheck(options)
  const { code, language } = draft.value
  const namesAfter = useNamesAfter(id, language)
  // the key that runs it may come before what was typed is drawn
  const typed = useRef(code)

  function write(text: string) {
    typed.current = text
    if (text === '') draft.forget({ code: '', language })
    else draft.change({ code: text })
  }
  function run() {
    const sent = typed.current
    if (!right.may || sent.trim() === '' || create.isPending) return
    const part = read()
    if (!part) return
    // at once: what is typed from here on is the next cell
    write('')
    create.mutate(
      {
        query: { wait: 'false' },
        body: {
          ...part,
          ...{ sandboxId: id, language, code: sent, interactive: true },
          limits: { timeoutMs: usualSeconds * 1000, ...part.limits },
        },
      },
      {
        onSuccess: onStarted,
        onError: () => write([sent, typed.current].filter(Boolean).join('\n')),
      },
    )
  }
  return (
    <Cell
      label="Next cell"
      folder={`notebook-${id}/next`}
      source={code}
      language={language}
      languages={languageChoices}
      onSource={right.may ? write : undefined}
      onLanguage={(next) => draft.change({ language: next })}
      onRun={run}
      onRunNext={run}
      namesAfter={namesAfter}
      mayRun={right}
      isStarting={create.isPending}
      runId={undefined}
      isEditing={isEditing}
      onEdit={onEdit}
      autoFocus={isEditing}
      options={
        <RunOptions
          size="small"
          check={check}
          language={language}
          only={['input', 'stdin', 'seconds', 'outputKb']}
          usual={{ seconds: String(usualSeconds) }}
          options={options}
          onChange={setOptions}
        />
      }
      note={<FormError error={create.error} />}
    />
  )
}
