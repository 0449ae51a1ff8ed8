import type { ToolRequest, ToolSource } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { useToolCreate, useToolSave } from '../data/library/tool.ts'
import { Callout } from '../ui/callout.tsx'
import { Field } from '../ui/field/field.tsx'
import { Input } from '../ui/field/input.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { useForm } from '../ui/form/use-form.ts'
import { TextLink } from '../ui/text/text-link.tsx'
import { toast } from '../ui/toast/toast.ts'
import { toToolName, whyNotToolName } from './tool-name.ts'
import { useExportTrouble } from './use-export-trouble.ts'

/** What its calls have, beside what the code says. */
export type ToolNeeds = Pick<ToolRequest, 'packages' | 'network' | 'limits'>

interface ExportAsToolProps {
  from: ToolSource
  /** What it is called unless somebody says otherwise, such as the name of its file. */
  name: string
  /** It is a folder with a tool.yaml, which says the rest and may be a tool's next version. */
  hasDefinition?: boolean
  needs?: ToolNeeds | undefined
  onClose: () => void
}

/** Makes a tool of a run, a code block, a file or a folder. It is a draft on its own page, to be tried and published. */
export function ExportAsTool({ from, name, hasDefinition = false, needs, onClose }: ExportAsToolProps) {
  const navigate = useNavigate()
  const create = useToolCreate()
  const save = useToolSave()
  const form = useForm({
    draft: undefined,
    initial: { name: hasDefinition ? '' : toToolName(name), description: '', licence: hasDefinition ? '' : 'MIT' },
    fields: ['name', 'description'],
    check: (values) => ({
      name: hasDefinition && values.name === '' ? undefined : whyNotToolName(values.name),
      description: hasDefinition || values.description.trim() ? undefined : 'Say what it does: models read this',
    }),
    send(values) {
      const said = Object.entries(values).filter(([, text]) => text.trim() !== '')
      const body = { from, ...needs, ...(Object.fromEntries(said) as Partial<typeof values>) }
      return hasDefinition ? save.mutateAsync({ body }) : create(values.name, body)
    },
    onSent({ definition, version }) {
      toast({ title: `${definition.name} is saved as version ${version}` })
      onClose()
      void navigate({ to: '/tools/$name', params: { name: definition.name } })
    },
  })
  const trouble = useExportTrouble(from)
  const hint = (text: string) => (hasDefinition ? 'Empty: as tool.yaml says' : text)
  return (
    <FormDialog
      title="Export as tool"
      description="It becomes a draft with versions, schemas and tests. Publish it for agents and programs."
      form={form}
      action="Export as tool"
      ready={!trouble?.isRefused}
      onClose={onClose}
    >
      {trouble && (
        <Callout tone="warning">
          {trouble.message}{' '}
          {trouble.workspaceId && (
            <TextLink to="/workspaces/$id" params={{ id: trouble.workspaceId }}>
              Open the workspace
            </TextLink>
          )}
        </Callout>
      )}
      <Field label="Name" hint={hint('Agents and programs call it by this name.')} error={form.errorOf('name')}>
        <Input maxLength={64} {...form.text('name')} />
      </Field>
      <Field label="Description" hint={hint('What it does and when to use it.')} error={form.errorOf('description')}>
        <Input autoFocus maxLength={500} {...form.text('description')} />
      </Field>
      <Field label="Licence" hint={hint('Needed to publish it.')}>
        <Input maxLength={100} {...form.text('licence')} />
      </Field>
    </FormDialog>
  )
}
