import type { ToolStatus, ToolVersion } from '@coherex/contract'
import { Archive, Ban, CircleCheck, PencilLine, TriangleAlert } from 'lucide-react'
import { Pill } from '../../../ui/pill.tsx'

const looks = {
  draft: { tone: 'grey', icon: <PencilLine aria-hidden /> },
  published: { tone: 'green', icon: <CircleCheck aria-hidden /> },
  deprecated: { tone: 'amber', icon: <TriangleAlert aria-hidden /> },
  unpublished: { tone: 'grey', icon: <Archive aria-hidden /> },
  rejected: { tone: 'red', icon: <Ban aria-hidden /> },
} as const

export function ToolStatusPill({ status }: { status: ToolStatus }) {
  return <Pill {...looks[status]}>{status}</Pill>
}

/** What a version is to callers who name none. */
export function ToolVersionPill({ version, published }: { version: ToolVersion; published: number | null }) {
  if (version.version === published) return <Pill {...looks.published}>published</Pill>
  if (version.state === 'rejected') return <Pill {...looks.rejected}>rejected</Pill>
  return version.state === 'approved' ? <Pill tone="grey">published before</Pill> : <Pill {...looks.draft}>draft</Pill>
}
