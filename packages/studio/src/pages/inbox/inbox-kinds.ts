import type { InboxKind } from '@coherex/contract'
import {
  Bot,
  CirclePause,
  Clock,
  FilePen,
  GraduationCap,
  OctagonAlert,
  Plug,
  Wrench,
  type LucideIcon,
} from 'lucide-react'

export const kindWords: Record<InboxKind, { label: string; icon: LucideIcon; isFailure?: true }> = {
  approval: { label: 'Approval', icon: CirclePause },
  'file-proposal': { label: 'File proposal', icon: FilePen },
  'definition-proposal': { label: 'Agent proposal', icon: Bot },
  'skill-review': { label: 'Skill review', icon: GraduationCap },
  'mcp-review': { label: 'MCP tools', icon: Plug },
  'tool-review': { label: 'Tool review', icon: Wrench },
  'given-up-turn': { label: 'Given up', icon: OctagonAlert, isFailure: true },
  'failed-trigger': { label: 'Failed trigger', icon: Clock, isFailure: true },
}

/** Parts of the inbox, as they stand in the address; all of it without. */
const inboxShows = ['approvals', 'proposals', 'failures', 'history'] as const
export type InboxShow = (typeof inboxShows)[number]

export const showKinds: Record<Exclude<InboxShow, 'history'>, string> = {
  approvals: 'approval',
  proposals: 'file-proposal,definition-proposal,skill-review,mcp-review,tool-review',
  failures: 'given-up-turn,failed-trigger',
}

export function parseInboxShow({ show }: { show?: unknown }): { show?: InboxShow } {
  const known = inboxShows.find((one) => one === show)
  return known ? { show: known } : {}
}
