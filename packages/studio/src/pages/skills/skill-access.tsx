import type { Skill } from '@coherex/contract'
import { DefinitionAccess } from '../definitions/definition-access.tsx'

/** Who reads and changes the skill, and which agents get it. */
export function SkillAccess({ skill: { state, activeVersion } }: { skill: Skill }) {
  const agents =
    state === 'active'
      ? `agents whose definition lists it, or all skills: version ${activeVersion}`
      : state === 'archived'
        ? 'no agent while it is archived'
        : 'no agent until a person approves a version'
  return (
    <DefinitionAccess
      rights={[
        { act: 'Seen by', who: 'everyone in the team' },
        { act: 'Loaded by', who: agents },
        { act: 'Changed, approved and archived by', who: 'editors, admins and owners' },
        { act: 'Proposed by', who: 'agents with the tool propose-skill; a person approves each proposal' },
        { act: 'Deleted by', who: 'admins and owners' },
      ]}
    />
  )
}
