import type { Language } from '@coherex/contract'
import { ArrowDown, ArrowUp, Code, Ellipsis, Eraser, PanelTop, Text, Trash2, Type } from 'lucide-react'
import { Cell } from '../../../cell/cell.tsx'
import { TextCell as WrittenCell } from '../../../cell/text-cell.tsx'
import type { Right } from '../../../data/access/rights.ts'
import { useNamesAfter } from '../../../data/sandbox.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuLine } from '../../../ui/menu.tsx'
import type { TextCell } from './notebook-text.ts'
import { StoredOutputs } from './stored-outputs.tsx'
import type { NotebookFileActs } from './use-notebook-file.ts'

interface FileCellProps {
  path: string
  cell: TextCell
  /** From zero. */
  at: number
  isLast: boolean
  language: Language
  acts: NotebookFileActs
  /** Where its session is. */
  sandboxId: string | undefined
  mayWrite: Right
  mayRun: Right
  onNext: () => void
}

/** A cell of an `.ipynb` file. */
export function FileCell(props: FileCellProps) {
  const { path, cell, at, isLast, language, acts, sandboxId, mayWrite, mayRun, onNext } = props
  const { key, kind, source } = cell
  const label = `Cell ${at + 1}`
  const namesAfter = useNamesAfter(sandboxId, language)
  const onSource = mayWrite.may ? (text: string) => acts.write(key, text) : undefined
  const menu = mayWrite.may && (
    <Menu
      trigger={<IconButton label={`More for ${label}`} size="small" className="w-7!" icon={<Ellipsis aria-hidden />} />}
    >
      <MenuItem icon={<PanelTop aria-hidden />} onSelect={() => acts.insert(at + 1, 'code')}>
        Insert code below
      </MenuItem>
      <MenuItem icon={<PanelTop aria-hidden />} onSelect={() => acts.insert(at + 1, 'markdown')}>
        Insert text below
      </MenuItem>
      <MenuItem icon={<ArrowUp aria-hidden />} disabled={at === 0} onSelect={() => acts.move(key, -1)}>
        Move up
      </MenuItem>
      <MenuItem icon={<ArrowDown aria-hidden />} disabled={isLast} onSelect={() => acts.move(key, 1)}>
        Move down
      </MenuItem>
      <MenuLine />
      {kinds
        .filter((one) => one.kind !== kind)
        .map((one) => (
          <MenuItem key={one.kind} icon={<one.icon aria-hidden />} onSelect={() => acts.setKind(key, one.kind)}>
            Change to {one.label}
          </MenuItem>
        ))}
      {kind === 'code' && (
        <MenuItem icon={<Eraser aria-hidden />} disabled={cell.outputs.length === 0} onSelect={() => acts.clear(key)}>
          Clear output
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={() => acts.drop(key)}>
        Delete
      </MenuItem>
    </Menu>
  )
  if (kind !== 'code') {
    return (
      <WrittenCell
        label={label}
        source={source}
        isPlain={kind === 'raw'}
        onSource={onSource}
        isEditing={acts.isEditing(key)}
        onEdit={(isEditing) => (isEditing ? acts.edit(key) : acts.leave(key))}
        onNext={onNext}
        actions={menu}
      />
    )
  }
  const runId = acts.runOf(cell)
  const run = () => mayRun.may && void acts.run(key)
  return (
    <Cell
      label={label}
      folder={`notebooks/${path}/${key}`}
      source={source}
      language={language}
      languages={[]}
      onSource={onSource}
      onRun={run}
      onRunNext={() => {
        run()
        onNext()
      }}
      namesAfter={namesAfter}
      mayRun={mayRun}
      isStarting={acts.isStarting(key)}
      runId={runId}
      isEditing={acts.isEditing(key)}
      onEdit={() => acts.edit(key)}
      autoFocus={acts.focused === key}
      takesInput={acts.focused === key}
      actions={
        <>
          {cell.count !== null && <span className="text-muted tabular">[{cell.count}]</span>}
          {menu}
        </>
      }
      note={runId === undefined && <StoredOutputs outputs={cell.outputs} />}
    />
  )
}

const kinds = [
  { kind: 'code', label: 'code', icon: Code },
  { kind: 'markdown', label: 'Markdown', icon: Type },
  { kind: 'raw', label: 'raw text', icon: Text },
] as const
