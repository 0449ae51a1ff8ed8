import type { Language } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useSandboxCreate } from '../../data/sandbox.ts'
import { useTemplateList } from '../../data/template.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { idleChoices, languageChoices, linesOf } from './sandbox-words.ts'

const initial = {
  name: '',
  language: 'python' as Language,
  template: 'none',
  memoryMb: '1024',
  diskMb: '1024',
  idle: '900000' as (typeof idleChoices)[number]['value'],
  allow: '',
}

export function CreateSandboxDialog({ onClose }: { onClose: () => void }) {
  const create = useSandboxCreate()
  const navigate = useNavigate()
  const templates = useTemplateList()
  const draft = useDraft('create-sandbox', initial)
  const { name, language, template, memoryMb, diskMb, idle, allow } = draft.value

  function submit(event: FormEvent) {
    event.preventDefault()
    const prefixes = linesOf(allow)
    create.mutate(
      {
        body: {
          ...(name.trim() && { name: name.trim() }),
          language,
          ...(template !== 'none' && { template }),
          limits: { memoryMb: Number(memoryMb), diskMb: Number(diskMb) },
          idleTimeoutMs: Number(idle),
          ...(prefixes.length > 0 && { network: { allow: prefixes } }),
        },
      },
      {
        onSuccess({ id }) {
          draft.forget()
          onClose()
          void navigate({ to: '/sandboxes/$id', params: { id } })
        },
      },
    )
  }

  const number = (key: 'memoryMb' | 'diskMb', { min, max }: { min: number; max: number }) => (
    <Input
      type="number"
      required
      min={min}
      max={max}
      step={1}
      value={draft.value[key]}
      onChange={(event) => draft.change({ [key]: event.target.value })}
    />
  )
  return (
    <Dialog open onClose={onClose} title="New sandbox" description="Everyone in the team can use it.">
      <form onSubmit={submit} className="flex min-h-0 flex-col">
        <DialogBody>
          <Field label="Name">
            <Input
              autoFocus
              maxLength={80}
              placeholder="Sales of the spring"
              value={name}
              onChange={(event) => draft.change({ name: event.target.value })}
            />
          </Field>
          <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
            <Field label="First language" hint="Others run beside it, on the same files.">
              <Select
                value={language}
                choices={languageChoices}
                onChange={(next) => draft.change({ language: next })}
              />
            </Field>
            <Field label="Template" hint="Packages and files it starts with.">
              <Select
                value={template}
                choices={[
                  { value: 'none', label: 'None' },
                  ...(templates.data?.items ?? []).map((one) => ({ value: one.name, label: one.name })),
                ]}
                onChange={(next) => draft.change({ template: next })}
              />
            </Field>
            <Field label="Memory in MB">{number('memoryMb', { min: 64, max: 8192 })}</Field>
            <Field label="Disk in MB">{number('diskMb', { min: 16, max: 4096 })}</Field>
          </div>
          <Field label="Sleeps after" hint="Files stay; variables are made again by running the cells again.">
            <Select value={idle} choices={idleChoices} onChange={(next) => draft.change({ idle: next })} />
          </Field>
          <Field label="Network: addresses it may reach" hint="One URL prefix a line. Empty: none.">
            <TextArea
              rows={2}
              className="font-mono text-small!"
              placeholder="https://pypi.org/"
              value={allow}
              onChange={(event) => draft.change({ allow: event.target.value })}
            />
          </Field>
          <FormError error={create.error} />
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            Make sandbox
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
