import { useQuery } from '@tanstack/react-query'
import { toolVersionQuery } from '../../../data/library/tool.ts'
import { ToolReviews } from '../../tools/publish/tool-reviews.tsx'
import { ToolChanges } from '../../tools/tool-versions.tsx'
import type { ItemProps } from '../inbox-item-view.tsx'
import { Loaded } from './loaded.tsx'

export function ToolReviewItem({ item: { title, where }, onDecided }: ItemProps) {
  const name = where.tool ?? ''
  const version = useQuery(toolVersionQuery(name, where.version ?? 0))
  return (
    <Loaded query={version} what="the version">
      {(waiting) => (
        <div className="flex flex-col gap-3 p-4">
          <h2 className="text-body font-semibold">{title}</h2>
          <ToolChanges tool={{ name }} version={waiting.version} />
          <ToolReviews name={name} version={waiting} onDecided={onDecided} />
        </div>
      )}
    </Loaded>
  )
}
