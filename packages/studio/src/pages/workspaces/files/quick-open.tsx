import { FileCode2 } from 'lucide-react'
import { useState } from 'react'
import { matchPaths } from '../../../data/match-paths.ts'
import { PaletteDialog } from '../../../shell/palette/palette-dialog.tsx'

interface QuickOpenProps {
  paths: readonly string[]
  /** Open already: they come first while nothing is typed. */
  open: readonly string[]
  onPick: (path: string) => void
  onClose: () => void
}

const mostShown = 50

/** Goes to a file by some letters of its path. */
export function QuickOpen({ paths, open, onPick, onClose }: QuickOpenProps) {
  const [text, setText] = useState('')
  const known = new Set(paths)
  const recent = open.filter((path) => known.has(path))
  const all = [...recent, ...paths.filter((path) => !recent.includes(path))]
  const found = matchPaths(all, text, mostShown).map((path) => ({
    ...{ id: path, group: 'Files', label: nameOf(path), hint: path, icon: FileCode2 },
    run: () => onPick(path),
  }))
  return (
    <PaletteDialog
      label="Go to file"
      placeholder="Type letters of a file's path…"
      text={text}
      onText={setText}
      found={found}
      empty={`No file has “${text}” in its path.`}
      onClose={onClose}
    />
  )
}

const nameOf = (path: string) => path.split('/').at(-1) ?? path
