import type { Skill } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { Archive, CirclePlay, Download, Ellipsis, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { skillZipUrl, useSkillChange, useSkillDelete } from '../../data/library/skill.ts'
import { DeleteDialog } from '../../ui/dialog/delete-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { useHolds } from '../definitions/use-holds.ts'

/** What can be done with a skill beside changing its files. */
export function SkillActions({ skill }: { skill: Skill }) {
  const { name, state } = skill
  const [deleting, setDeleting] = useState(false)
  const remove = useSkillDelete()
  const navigate = useNavigate()
  const mayChange = useRight('editor', 'change skills').may
  const mayDelete = useHolds(skill)
  const change = useSkillChange()
  const archive = (archived: boolean) =>
    change.mutate(
      { params: { name }, body: { archived } },
      {
        onSuccess: () => toast({ title: archived ? `${name} is archived` : `${name} is unarchived` }),
        onError: (error) => toast({ title: `Could not change ${name}`, description: error.message, tone: 'error' }),
      },
    )
  return (
    <>
      <Menu trigger={<IconButton label={`More for ${name}`} icon={<Ellipsis aria-hidden />} />}>
        <MenuItem icon={<Download />} onSelect={() => window.location.assign(skillZipUrl(name))}>
          Export
        </MenuItem>
        {state === 'archived' ? (
          <MenuItem icon={<CirclePlay />} disabled={!mayChange} onSelect={() => archive(false)}>
            Unarchive
          </MenuItem>
        ) : (
          <MenuItem icon={<Archive />} disabled={!mayChange} hint="Agents stop using it" onSelect={() => archive(true)}>
            Archive
          </MenuItem>
        )}
        <MenuLine />
        <MenuItem icon={<Trash2 />} danger disabled={!mayDelete} onSelect={() => setDeleting(true)}>
          Delete skill
        </MenuItem>
      </Menu>
      {deleting && (
        <DeleteDialog
          noun="skill"
          name={name}
          isTyped
          remove={remove}
          params={{ name }}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: '/skills' })}
        >
          Deletes all its versions and proposals.
        </DeleteDialog>
      )}
    </>
  )
}
