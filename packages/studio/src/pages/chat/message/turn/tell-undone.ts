import type { UndoneTurn } from '@coherex/contract'
import { toast } from '../../../../ui/toast/toast.ts'

/** Says what was undone and what stays. */
export function tellUndone({ version, undone, kept }: UndoneTurn): void {
  const stays = staysWords(kept)
  if (undone.length > 0) {
    const files = undone.length === 1 ? undone[0] : `${undone.length} files`
    toast({ title: `${files}: changes undone as version ${version}`, ...(stays && { description: stays }) })
  } else {
    toast({
      title: 'Nothing was undone',
      description: stays || 'The changes are not in the files any more.',
      tone: 'info',
    })
  }
}

export const staysWords = (kept: UndoneTurn['kept']): string =>
  kept.map(({ path, why }) => `${path} stays as it is: ${why}`).join('. ')
