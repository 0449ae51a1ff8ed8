import { useQuery } from '@tanstack/react-query'
import { skillQuery, skillVersionQuery } from '../../../data/library/skill.ts'
import { VersionDetails } from '../../skills/skill-versions.tsx'
import type { ItemProps } from '../inbox-item-view.tsx'
import { Loaded } from './loaded.tsx'

export function SkillReviewItem({ item: { title, where }, onDecided }: ItemProps) {
  const name = where.skill ?? ''
  const skill = useQuery(skillQuery(name))
  const version = useQuery(skillVersionQuery(name, where.version ?? 0))
  return (
    <Loaded query={skill} what="the skill">
      {(known) => (
        <Loaded query={version} what="the version">
          {(proposed) => (
            <>
              <h2 className="px-4 pt-4 pb-1 text-body font-semibold">{title}</h2>
              <VersionDetails skill={known} version={proposed} onDecided={onDecided} />
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  )
}
