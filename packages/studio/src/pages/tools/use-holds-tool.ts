import type { Tool } from '@coherex/contract'
import { useMe } from '../../data/access/me.ts'
import { useRight } from '../../data/access/rights.ts'

/** Whether one may delete a tool and say whose it is: its owner, and admins. */
export function useHoldsTool({ owner }: Pick<Tool, 'owner'>): boolean {
  const { person } = useMe()
  const isEditor = useRight('editor', 'change tools').may
  const isAdmin = useRight('admin', 'delete tools').may
  return isAdmin || (isEditor && owner.id === person.id)
}
