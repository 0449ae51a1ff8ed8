import { useMe } from '../../data/access/me.ts'

/** Under which a definition that is being written is kept: another team may have one of the same name. */
export function useDraftKey(noun: 'agent' | 'skill' | 'tool', draftName: string): string {
  return `${noun}.${useMe().team?.id ?? ''}.${draftName}`
}
