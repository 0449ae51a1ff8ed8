import { useMe } from '../../data/access/me.ts'
import { useRight } from '../../data/access/rights.ts'

/** Whether one may delete a definition and say whose it is: its owner, and admins. */
export function useHolds({ owner }: { owner: { id: string } }): boolean {
  const { person } = useMe()
  const isEditor = useRight('editor', 'change definitions').may
  const isAdmin = useRight('admin', 'delete definitions').may
  return isAdmin || (isEditor && owner.id === person.id)
}
