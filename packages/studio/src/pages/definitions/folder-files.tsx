import type { SkillFiles as Files } from '@coherex/contract'
import { FilePlus2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { PathDialog } from '../../workbench/path-dialog.tsx'

interface FolderFilesProps {
  noun: 'skill' | 'tool'
  /** It defines the folder, and stays. */
  first: string
  files: Files
  active: string
  canEdit: boolean
  onOpen: (path: string) => void
  onChange: (files: Files) => void
}

/** The files of a skill or a tool, the one that defines it first. */
export function FolderFileList({ noun, first, files, active, canEdit, onOpen, onChange }: FolderFilesProps) {
  const paths = Object.keys(files).sort((a, b) => (a === first ? -1 : b === first ? 1 : a < b ? -1 : 1))
  return (
    <ul aria-label={`Files of the ${noun}`} className="min-h-0 flex-1 py-1">
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
          {canEdit && path !== first && (
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
  )
}

interface AddFolderFileProps extends Pick<FolderFilesProps, 'files' | 'onOpen' | 'onChange'> {
  /** Where files usually are. */
  hint: string
}

/** Asks for the path of a new file, and opens it. */
export function AddFolderFile({ hint, files, onOpen, onChange }: AddFolderFileProps) {
  const [adding, setAdding] = useState(false)
  return (
    <>
      <IconButton
        label="Add file"
        size="small"
        className="w-7!"
        icon={<FilePlus2 aria-hidden />}
        onClick={() => setAdding(true)}
      />
      {adding && (
        <PathDialog
          title="Add file"
          description={hint}
          confirm="Add"
          initial=""
          taken={new Set(Object.keys(files))}
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
    </>
  )
}
