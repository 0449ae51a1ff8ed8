import { useNavigate } from '@tanstack/react-router'
import { useTeamCreate, useTeamSwitch } from '../data/team.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../ui/dialog.tsx'
import { useDraft } from '../ui/draft.ts'
import { Field } from '../ui/field.tsx'
import { FormError } from '../ui/form-error.tsx'
import { Input } from '../ui/input.tsx'
import { toast } from '../ui/toast.ts'

export function CreateTeamDialog({ onClose }: { onClose: () => void }) {
  const draft = useDraft('create-team', { name: '' })
  const createTeam = useTeamCreate()
  const switchTeam = useTeamSwitch()
  const navigate = useNavigate()
  const name = draft.value.name.trim()

  async function create() {
    const team = await createTeam.mutateAsync({ body: { name } })
    draft.forget()
    await switchTeam.mutateAsync({ body: { teamId: team.id } })
    onClose()
    toast({ title: `Team ${team.name} is ready`, description: 'You are its owner.' })
    await navigate({ to: '/' })
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="Create team"
      description="A team owns its members, keys, secrets and runs. Nothing is shared between teams."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // the failure is shown below the field
          create().catch(() => undefined)
        }}
      >
        <DialogBody>
          <Field label="Team name">
            <Input
              autoFocus
              required
              maxLength={60}
              value={draft.value.name}
              onChange={(event) => draft.change({ name: event.target.value })}
            />
          </Field>
          <FormError error={createTeam.error ?? switchTeam.error} />
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            disabled={name === ''}
            busy={createTeam.isPending || switchTeam.isPending}
          >
            Create team
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
