import { Avatar } from '../avatar.tsx'

/** Someone in a line of a table. */
export function NamedPerson({ name }: { name: string }) {
  return (
    <span className="flex items-center gap-2 whitespace-nowrap">
      <Avatar name={name} size="small" />
      <span className="max-w-32 truncate">{name}</span>
    </span>
  )
}
