import type { Tool } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { Archive, CirclePlay, Ellipsis, Trash2, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { useToolChange, useToolDelete } from '../../data/library/tool.ts'
import { DeleteDialog } from '../../ui/dialog/delete-dialog.tsx'
import { Field } from '../../ui/field/field.tsx'
import { TextArea } from '../../ui/field/text-area.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { useHolds } from '../definitions/use-holds.ts'

/** What can be done with a tool beside changing its files. */
export function ToolActions({ tool }: { tool: Tool }) {
  const { name, status } = tool
  const [asking, setAsking] = useState<'deprecate' | 'delete'>()
  const remove = useToolDelete()
  const navigate = useNavigate()
  const mayChange = useRight('editor', 'change tools').may
  const mayDelete = useHolds(tool)
  const change = useToolChange()
  const close = () => setAsking(undefined)
  const set = (next: 'published' | 'unpublished') =>
    change.mutate(
      { params: { name }, body: { status: next } },
      {
        onSuccess: () => toast({ title: `${name} is ${next}` }),
        onError: (error) => toast({ title: `${name} is still ${status}`, description: error.message, tone: 'error' }),
      },
    )
  return (
    <>
      <Menu trigger={<IconButton label={`More for ${name}`} icon={<Ellipsis aria-hidden />} />}>
        {(status === 'unpublished' || status === 'deprecated') && (
          <MenuItem icon={<CirclePlay />} disabled={!mayChange} onSelect={() => set('published')}>
            {status === 'deprecated' ? 'Take back the deprecation' : 'Publish again'}
          </MenuItem>
        )}
        {(status === 'published' || status === 'unpublished') && (
          <MenuItem
            icon={<TriangleAlert />}
            disabled={!mayChange}
            hint="It still answers, and says why not to use it"
            onSelect={() => setAsking('deprecate')}
          >
            Deprecate…
          </MenuItem>
        )}
        {(status === 'published' || status === 'deprecated') && (
          <MenuItem
            icon={<Archive />}
            disabled={!mayChange}
            hint="Nobody can call it"
            onSelect={() => set('unpublished')}
          >
            Unpublish
          </MenuItem>
        )}
        {status !== 'draft' && <MenuLine />}
        <MenuItem
          icon={<Trash2 />}
          danger
          disabled={!mayDelete}
          hint={mayDelete ? undefined : 'Its owner and admins delete it'}
          onSelect={() => setAsking('delete')}
        >
          Delete tool
        </MenuItem>
      </Menu>
      {asking === 'deprecate' && <DeprecateDialog name={name} onClose={close} />}
      {asking === 'delete' && (
        <DeleteDialog
          noun="tool"
          name={name}
          isTyped
          remove={remove}
          params={{ name }}
          onClose={close}
          onDeleted={() => void navigate({ to: '/tools' })}
        >
          Deletes all its versions. Runs of it stay. A tool that something uses cannot be deleted.
        </DeleteDialog>
      )}
    </>
  )
}

function DeprecateDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const change = useToolChange()
  const form = useForm({
    draft: undefined,
    initial: { reason: '' },
    fields: ['reason'],
    check: ({ reason }) => ({ reason: reason.trim() ? undefined : 'Say what to use instead' }),
    send: ({ reason }) => change.mutateAsync({ params: { name }, body: { status: 'deprecated', reason } }),
    onSent() {
      toast({ title: `${name} is deprecated` })
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Deprecate ${name}`}
      description="It still answers. Callers and its page say why nobody should begin to use it."
      form={form}
      action="Deprecate"
      onClose={onClose}
    >
      <Field label="Reason" hint="Such as: use invoice-2, which knows discounts" error={form.errorOf('reason')}>
        <TextArea autoFocus rows={2} maxLength={500} {...form.text('reason')} />
      </Field>
    </FormDialog>
  )
}
