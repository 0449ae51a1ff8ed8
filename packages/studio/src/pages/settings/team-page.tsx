import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../../data/access/me.ts'
import { useMemberRemove } from '../../data/access/member.ts'
import { useRight } from '../../data/access/rights.ts'
import { useTeamDelete, useTeamRename } from '../../data/access/team.ts'
import { Page } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { AlertDialog } from '../../ui/dialog/alert-dialog.tsx'
import { Field } from '../../ui/field/field.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { Input } from '../../ui/field/input.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { ShortId } from '../../ui/text/copy.tsx'
import { Time } from '../../ui/text/time.tsx'
import { toast } from '../../ui/toast/toast.ts'

interface CurrentTeam {
  id: string
  name: string
  createdAt: string
}

export function TeamPage() {
  const { team } = useMe()
  if (!team) return null
  return (
    <Page title="Team" description="A team owns its members, keys, secrets and runs. Nothing is shared between teams.">
      <NameOfTeam key={team.id} team={team} />
      <Leave team={team} />
      <Delete team={team} />
    </Page>
  )
}

function NameOfTeam({ team }: { team: CurrentTeam }) {
  const rename = useTeamRename()
  const right = useRight('admin', 'rename the team')
  const form = useForm({
    draft: `team.${team.id}`,
    initial: { name: team.name },
    fields: ['name'],
    send: ({ name }) => rename.mutateAsync({ body: { name: name.trim() } }),
    after: ({ name }) => ({ name: name.trim() }),
    onSent: ({ name }) => void toast({ title: `The team is called ${name} now` }),
  })
  const name = form.values.name.trim()

  return (
    <Card>
      <form onSubmit={form.submit} className="flex flex-col gap-3">
        <Field label="Team name" hint={right.why} error={form.errorOf('name')}>
          <div className="flex gap-2">
            <Input
              required
              maxLength={60}
              disabled={!right.may}
              {...form.text('name')}
              {...(!right.may && { value: team.name })}
            />
            {right.may && (
              <Button type="submit" disabled={name === '' || name === team.name} busy={form.busy}>
                Rename team
              </Button>
            )}
          </div>
        </Field>
        <FormError error={form.error} />
        <p className="text-small text-muted">
          <ShortId id={team.id} className="-ml-1" /> · created <Time at={team.createdAt} />
        </p>
      </form>
    </Card>
  )
}

function Leave({ team }: { team: CurrentTeam }) {
  const { person } = useMe()
  const [asking, setAsking] = useState(false)
  const leave = useMemberRemove()
  const navigate = useNavigate()
  return (
    <>
      <Card
        title="Leave team"
        description="You lose access at once. Only an invitation brings you back. The last owner cannot leave."
        actions={<Button onClick={() => setAsking(true)}>Leave team</Button>}
      />
      <AlertDialog
        open={asking}
        onClose={() => {
          setAsking(false)
          leave.reset()
        }}
        title={`Leave ${team.name}?`}
        confirm="Leave team"
        busy={leave.isPending}
        error={leave.error}
        onConfirm={() =>
          leave.mutate({ params: { personId: person.id } }, { onSuccess: () => void navigate({ to: '/' }) })
        }
      >
        You lose access to everything the team owns, and your API keys for it stop working.
      </AlertDialog>
    </>
  )
}

function Delete({ team }: { team: CurrentTeam }) {
  const [asking, setAsking] = useState(false)
  const remove = useTeamDelete()
  const right = useRight('owner', 'delete the team')
  const navigate = useNavigate()
  return (
    <>
      <Card
        danger
        title="Delete team"
        description={right.why ?? 'Deletes the team with everything it owns, for everyone. This cannot be undone.'}
        actions={
          right.may && (
            <Button look="danger-quiet" onClick={() => setAsking(true)}>
              Delete team
            </Button>
          )
        }
      />
      <AlertDialog
        open={asking}
        onClose={() => {
          setAsking(false)
          remove.reset()
        }}
        title={`Delete ${team.name}?`}
        confirm="Delete team"
        typeName={team.name}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          remove.mutate(
            { query: { name: team.name } },
            {
              onSuccess() {
                toast({ title: `${team.name} is deleted` })
                void navigate({ to: '/' })
              },
            },
          )
        }
      >
        Its members lose access; its keys, secrets, runs and audit log are gone for good.
      </AlertDialog>
    </>
  )
}
