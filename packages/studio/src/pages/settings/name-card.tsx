import { useMe, useMeUpdate } from '../../data/access/me.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field/field.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { Input } from '../../ui/field/input.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { Pill } from '../../ui/pill.tsx'
import { ShortId } from '../../ui/text/copy.tsx'
import { toast } from '../../ui/toast/toast.ts'

export function NameCard() {
  const { person } = useMe()
  const update = useMeUpdate()
  const form = useForm({
    draft: 'profile',
    initial: { name: person.name },
    fields: ['name'],
    send: ({ name }) => update.mutateAsync({ body: { name: name.trim() } }),
    after: ({ name }) => ({ name: name.trim() }),
    onSent: () => void toast({ title: 'Your name is changed' }),
  })
  const name = form.values.name.trim()

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
      <form onSubmit={form.submit} className="flex flex-col gap-3">
        <Field label="Name" hint="Shown beside what you do." error={form.errorOf('name')}>
          <div className="flex gap-2">
            <Input autoComplete="name" required maxLength={80} {...form.text('name')} />
            <Button type="submit" disabled={name === '' || name === person.name} busy={form.busy}>
              Save name
            </Button>
          </div>
        </Field>
        <FormError error={form.error} />
      </form>
    </Card>
  )
}
