import { languageFacts, type Cell as StoredCell, type Sandbox } from '@coherex/contract'
import { ArrowDown, ArrowUp, Ellipsis, Eraser, FileOutput, PanelTop, Trash2, Wrench } from 'lucide-react'
import { useState } from 'react'
import { Cell } from '../../../cell/cell.tsx'
import { LazyExportAsTool } from '../../../cell/lazy-export-as-tool.tsx'
import { RunOptions } from '../../../cell/options/run-options.tsx'
import { useOptionCheck } from '../../../cell/options/use-option-check.ts'
import { SaveToWorkspace } from '../../../cell/save-to-workspace.tsx'
import { TextCell } from '../../../cell/text-cell.tsx'
import type { Right } from '../../../data/access/rights.ts'
import { useNamesAfter } from '../../../data/sandbox.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuLine } from '../../../ui/menu.tsx'
import { TextLink } from '../../../ui/text/text-link.tsx'
import { languageChoices } from '../sandbox-words.ts'
import { usualSeconds, type NotebookActs } from './use-notebook.ts'

interface NotebookCellProps {
  sandbox: Sandbox
  cell: StoredCell
  /** From one. */
  number: number
  isLast: boolean
  acts: NotebookActs
  right: Right
  /** Goes on to the next cell, or to the one that comes. */
  onNext: () => void
}

/** A cell of a notebook: code or Markdown, with what can be done to it. */
export function NotebookCell({ sandbox, cell, number, isLast, acts, right, onNext }: NotebookCellProps) {
  const { id, kind, runId, isCollapsed } = cell
  const language = cell.language ?? 'python'
  const source = acts.textOf(cell)
  const label = `Cell ${number}`
  const [saving, setSaving] = useState(false)
  const [exporting, setExporting] = useState(false)
  const options = acts.optionsOf(id)
  const { check, read } = useOptionCheck(options)
  const namesAfter = useNamesAfter(sandbox.id, language)
  const run = () => {
    if (right.may && read()) acts.run(cell)
  }
  const menu = right.may && (
    <>
      <Menu
        trigger={
          <IconButton label={`More for ${label}`} size="small" className="w-7!" icon={<Ellipsis aria-hidden />} />
        }
      >
        <MenuItem icon={<PanelTop aria-hidden />} onSelect={() => acts.insert(id, 'code', language)}>
          Insert code below
        </MenuItem>
        <MenuItem icon={<PanelTop aria-hidden />} onSelect={() => acts.insert(id, 'markdown')}>
          Insert text below
        </MenuItem>
        <MenuItem icon={<ArrowUp aria-hidden />} disabled={number === 1} onSelect={() => acts.move(cell, -1)}>
          Move up
        </MenuItem>
        <MenuItem icon={<ArrowDown aria-hidden />} disabled={isLast} onSelect={() => acts.move(cell, 1)}>
          Move down
        </MenuItem>
        <MenuLine />
        {kind === 'code' && (
          <MenuItem icon={<Eraser aria-hidden />} disabled={!runId} onSelect={() => acts.set(id, { runId: null })}>
            Clear output
          </MenuItem>
        )}
        <MenuItem icon={<FileOutput aria-hidden />} onSelect={() => setSaving(true)}>
          Save to workspace…
        </MenuItem>
        {kind === 'code' && (
          <MenuItem
            icon={<Wrench aria-hidden />}
            disabled={!runId}
            hint={runId ? undefined : 'Run it first'}
            onSelect={() => setExporting(true)}
          >
            Export as tool…
          </MenuItem>
        )}
        <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={() => acts.drop(cell)}>
          Delete
        </MenuItem>
      </Menu>
      {exporting && runId && <LazyExportAsTool from={{ runId }} name="" onClose={() => setExporting(false)} />}
      {saving && (
        <SaveToWorkspace
          content={source}
          path={kind === 'markdown' ? 'notes.md' : languageFacts[language].entry}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  )
  if (kind === 'markdown') {
    return (
      <TextCell
        label={label}
        source={source}
        onSource={right.may ? (text) => acts.write(id, text) : undefined}
        isEditing={acts.isEditing(id)}
        onEdit={(isEditing) => (isEditing ? acts.edit(id) : acts.leave(id))}
        onNext={onNext}
        actions={menu}
      />
    )
  }
  return (
    <Cell
      label={label}
      folder={`notebook-${sandbox.id}/${id}`}
      source={source}
      language={language}
      languages={languageChoices}
      onSource={right.may ? (text) => acts.write(id, text) : undefined}
      onLanguage={right.may ? (next) => acts.set(id, { language: next }) : undefined}
      onRun={run}
      onRunNext={() => {
        run()
        onNext()
      }}
      namesAfter={namesAfter}
      mayRun={right}
      isStarting={acts.isStarting(id)}
      runId={runId ?? undefined}
      onMoved={(next) => acts.show(id, next)}
      isEditing={acts.isEditing(id)}
      onEdit={() => acts.edit(id)}
      autoFocus={acts.focused === id}
      takesInput={acts.focused === id}
      isCollapsed={isCollapsed}
      onCollapse={(next) => acts.set(id, { isCollapsed: next })}
      options={
        right.may && (
          <RunOptions
            size="small"
            check={check}
            language={language}
            only={['input', 'stdin', 'seconds', 'outputKb']}
            usual={{ seconds: String(usualSeconds) }}
            options={options}
            onChange={(next) => acts.setOptions(id, next)}
          />
        )
      }
      actions={
        <>
          {runId && (
            <span className="max-sm:hidden">
              <TextLink to="/runs/$id" params={{ id: runId }}>
                Details
              </TextLink>
            </span>
          )}
          {menu}
        </>
      }
    />
  )
}
