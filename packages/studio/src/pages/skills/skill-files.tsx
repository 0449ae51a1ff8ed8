import type { SkillFiles } from '@coherex/contract'
import { FilePlus2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { PathDialog } from '../workspaces/path-dialog.tsx'

interface SkillFilesProps {
  files: SkillFiles
  active: string
  canEdit: boolean
  onOpen: (path: string) => void
  onChange: (files: SkillFiles) => void
}

const instructions = 'SKILL.md'

/** The files of a skill, its instructions first. */
export function SkillFileList({ files, active, canEdit, onOpen, onChange }: SkillFilesProps) {
  const [adding, setAdding] = useState(false)
  const paths = Object.keys(files).sort((a, b) => (a === instructions ? -1 : b === instructions ? 1 : a < b ? -1 : 1))
  return (
    <div className="flex w-52 shrink-0 flex-col border-r border-line bg-surface max-md:w-full max-md:border-r-0 max-md:border-b">
      <div className="flex h-10 shrink-0 items-center justify-between border-b border-line pr-1 pl-4">
        <h2 className="text-dense font-medium">Files</h2>
        {canEdit && <IconButton label="Add a file" icon={<FilePlus2 aria-hidden />} onClick={() => setAdding(true)} />}
      </div>
      <ul aria-label="Files of the skill" className="min-h-0 flex-1 overflow-y-auto py-1 max-md:max-h-32">
        {paths.map((path) => (
          <li key={path} className={classNames('group flex items-center', path === active && 'bg-accent-soft')}>
            <button
              type="button"
              aria-current={path === active || undefined}
              title={path}
              onClick={() => onOpen(path)}
              className="min-w-0 flex-1 truncate py-1.5 pl-4 text-left font-mono text-small hover:bg-hover focus-visible:-outline-offset-2"
            >
              {path}
            </button>
            {canEdit && path !== instructions && (
              <IconButton
                label={`Delete ${path}`}
                size="small"
                icon={<Trash2 aria-hidden />}
                onClick={() => {
                  const { [path]: _gone, ...rest } = files
                  onChange(rest)
                }}
              />
            )}
          </li>
        ))}
      </ul>
      {adding && (
        <PathDialog
          title="Add a file"
          description="Scripts usually are in scripts, texts to read on demand in references."
          confirm="Add"
          initial=""
          taken={new Set(paths)}
          busy={false}
          error={null}
          onPick={(path) => {
            onChange({ ...files, [path]: '' })
            onOpen(path)
            setAdding(false)
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </div>
  )
}
