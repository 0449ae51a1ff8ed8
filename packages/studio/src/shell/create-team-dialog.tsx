import { useNavigate } from '@tanstack/react-router'
import { useTeamCreate, useTeamSwitch } from '../data/access/team.ts'
import { Field } from '../ui/field/field.tsx'
import { Input } from '../ui/field/input.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { useForm } from '../ui/form/use-form.ts'
import { toast } from '../ui/toast/toast.ts'

export function CreateTeamDialog({ onClose }: { onClose: () => void }) {
  const createTeam = useTeamCreate()
  const switchTeam = useTeamSwitch()
  const navigate = useNavigate()
  const form = useForm({
    draft: 'create-team',
    initial: { name: '' },
    fields: ['name'],
    async send({ name }) {
      const team = await createTeam.mutateAsync({ body: { name: name.trim() } })
      form.forget()
      await switchTeam.mutateAsync({ body: { teamId: team.id } })
      return team
    },
    onSent(team) {
      onClose()
      toast({ title: `Team ${team.name} is ready`, description: 'You are its owner.' })
      void navigate({ to: '/' })
    },
  })
  return (
    <FormDialog
      title="Create team"
      description="A team owns its members, keys, secrets and runs. Nothing is shared between teams."
      form={form}
      action="Create team"
      ready={form.values.name.trim() !== ''}
      onClose={onClose}
    >
      <Field label="Team name" error={form.errorOf('name')}>
        <Input autoFocus required maxLength={60} {...form.text('name')} />
      </Field>
    </FormDialog>
  )
}
