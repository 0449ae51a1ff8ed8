import type { FormEvent } from 'react'
import { useMe, useMeUpdate } from '../../data/me.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ShortId } from '../../ui/copy.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'
import { Pill } from '../../ui/pill.tsx'
import { toast } from '../../ui/toast.ts'

export function NameCard() {
  const { person } = useMe()
  const update = useMeUpdate()
  const draft = useDraft('profile', { name: person.name })
  const name = draft.value.name.trim()

  function submit(event: FormEvent) {
    event.preventDefault()
    update.mutate(
      { body: { name } },
      {
        onSuccess() {
          draft.forget({ name })
          toast({ title: 'Your name is changed' })
        },
      },
    )
  }

  return (
    <Card>
      <div className="mb-4 flex items-center gap-3">
        <Avatar name={person.name} />
        <div className="min-w-0">
          <p className="truncate text-body font-medium">{person.email}</p>
          <ShortId id={person.id} className="-ml-1" />
        </div>
        {person.operator && (
          <span className="ml-auto" title="You run this installation: you can set the quotas of teams.">
            <Pill tone="violet">operator</Pill>
          </span>
        )}
      </div>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field label="Name" hint="Shown beside what you do.">
          <div className="flex gap-2">
            <Input
              autoComplete="name"
              required
              maxLength={80}
              value={draft.value.name}
              onChange={(event) => draft.change({ name: event.target.value })}
            />
            <Button type="submit" disabled={name === '' || name === person.name} busy={update.isPending}>
              Save name
            </Button>
          </div>
        </Field>
        <FormError error={update.error} />
      </form>
    </Card>
  )
}
