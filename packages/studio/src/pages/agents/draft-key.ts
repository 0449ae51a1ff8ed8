import { useMe } from '../../data/me.ts'

/** Under which a definition that is being written is kept: another team may have an agent of the same name. */
export function useDraftKey(draftName: string): string {
  return `agent.${useMe().team?.id ?? ''}.${draftName}`
}
