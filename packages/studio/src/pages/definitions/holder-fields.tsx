import { useMemberList } from '../../data/access/member.ts'
import { Field } from '../../ui/field/field.tsx'
import { Select, type Choice } from '../../ui/field/select.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { useHolds } from './use-holds.ts'

type Change<Reach> = { owner: string } | { reach: Reach }

interface HolderFieldsProps<Reach extends string> {
  held: { name: string; owner: { id: string; name: string }; reach: Reach }
  reaches: readonly Choice<Reach>[]
  onChange: (body: Change<Reach>) => Promise<unknown>
  ownerHint: string
}

/** Who answers for a definition, and who sees it. */
export function HolderFields<Reach extends string>({ held, reaches, onChange, ownerHint }: HolderFieldsProps<Reach>) {
  const { name, owner, reach } = held
  const people = useMemberList().items?.map((member) => member.person) ?? []
  const mayChange = useHolds(held)
  const set = (body: Change<Reach>, title: string) =>
    onChange(body).then(
      () => toast({ title }),
      (error: Error) => toast({ title: `Could not change ${name}`, description: error.message, tone: 'error' }),
    )
  const known = people.some(({ id }) => id === owner.id) ? people : [owner, ...people]
  return (
    <div className="grid max-w-160 grid-cols-2 gap-4 p-4 max-md:grid-cols-1">
      <Field label="Owner" hint={ownerHint}>
        <Select
          value={owner.id}
          disabled={!mayChange}
          choices={known.map(({ id, name: label }) => ({ value: id, label }))}
          onChange={(id) => void set({ owner: id }, `${known.find((one) => one.id === id)?.name} owns ${name}`)}
        />
      </Field>
      <Field label="Reach" hint={mayChange ? undefined : 'Its owner, admins and owners of the team change it.'}>
        <Select
          value={reach}
          disabled={!mayChange}
          choices={reaches}
          onChange={(next) => void set({ reach: next }, `The reach of ${name} is ${next}`)}
        />
      </Field>
    </div>
  )
}
