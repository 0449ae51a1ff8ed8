import { TriangleAlert } from 'lucide-react'
import { Pill } from '../../../ui/pill.tsx'
import type { DefinitionDraft } from './tool/tool-results.ts'

/** How far a definition is that an agent shows. */
export function DraftPill({ draft: { isValid, saved, isProposed } }: { draft: DefinitionDraft }) {
  if (isProposed) return <Pill tone="amber">proposed</Pill>
  if (isValid) return <Pill tone="green">{saved ? 'saved' : 'valid'}</Pill>
  return (
    <Pill tone="amber" icon={<TriangleAlert aria-hidden />}>
      not valid yet
    </Pill>
  )
}
