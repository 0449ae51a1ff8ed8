import type { Skill } from '@coherex/contract'
import { useSkillChange } from '../../data/library/skill.ts'
import { DefinitionAccess } from '../definitions/definition-access.tsx'
import { HolderFields } from '../definitions/holder-fields.tsx'

const reaches = [
  { value: 'private', label: 'Private', hint: 'Only its owner sees it, and only agents that work for them load it' },
  { value: 'team', label: 'Team', hint: 'Everyone in the team sees it' },
] as const

/** Who answers for the skill, who reads and changes it, and which agents get it. */
export function SkillAccess({ skill }: { skill: Skill }) {
  const { state, activeVersion, owner, reach } = skill
  const change = useSkillChange()
  const isPrivate = reach === 'private'
  const agents =
    state === 'active'
      ? `agents whose definition lists it, or all skills: version ${activeVersion}`
      : state === 'archived'
        ? 'no agent while it is archived'
        : 'no agent until a person approves a version'
  return (
    <>
      <HolderFields
        held={skill}
        reaches={reaches}
        onChange={(body) => change.mutateAsync({ params: { name: skill.name }, body })}
        ownerHint="Answers for it, and may delete it."
      />
      <DefinitionAccess
        rights={[
          { act: 'Seen by', who: isPrivate ? owner.name : 'everyone in the team' },
          { act: 'Loaded by', who: agents },
          { act: 'Changed, approved and archived by', who: isPrivate ? owner.name : 'editors, admins and owners' },
          { act: 'Proposed by', who: 'agents with the tool propose-skill; a person approves each proposal' },
          { act: 'Deleted by', who: isPrivate ? owner.name : `${owner.name}, admins and owners of the team` },
        ]}
      />
    </>
  )
}
