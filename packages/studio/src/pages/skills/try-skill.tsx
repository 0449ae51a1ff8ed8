import type { Skill } from '@coherex/contract'
import { useState } from 'react'
import { useSkillVersions } from '../../data/library/skill.ts'
import { Select } from '../../ui/field/select.tsx'
import { DockChat } from '../chat/dock-chat.tsx'

/** A conversation in which an agent gets a version of the skill, whichever skills it lists. */
export function TrySkill({ skill: { name, activeVersion }, isChanged }: { skill: Skill; isChanged: boolean }) {
  const versions = useSkillVersions(name).items?.filter(({ state }) => state === 'approved') ?? []
  const [chosen, setChosen] = useState<number>()
  const version = chosen ?? activeVersion ?? 1
  const numbers = versions.some((one) => one.version === version)
    ? versions.map((one) => one.version)
    : [version, ...versions.map((one) => one.version)]
  return (
    <>
      {isChanged && (
        <p className="border-b border-line bg-amber-soft px-4 py-2 text-small text-amber">
          Version {version} is tried. Save your changes to try them.
        </p>
      )}
      <DockChat about={{ skill: { name, version } }}>
        <div className="mb-3 flex items-center justify-center gap-2">
          Try
          <Select
            label="Version to try"
            size="small"
            className="w-auto!"
            value={String(version)}
            choices={numbers.map((number) => ({
              value: String(number),
              label: number === activeVersion ? `version ${number} (in use)` : `version ${number}`,
            }))}
            onChange={(next) => setChosen(Number(next))}
          />
        </div>
        Ask for something {name} is for. The agent loads this version of the skill.
      </DockChat>
    </>
  )
}
