import { languageOfFile } from '@coherex/contract'
import { FilePlus, FileSearch, MessageSquare, Play, Search, Sparkles, WandSparkles, Wrench } from 'lucide-react'
import { formatsOnSave, setFormatOnSave } from '../../editor/format/format-on-save.ts'
import { requestFormat } from '../../editor/format/format-requests.ts'
import { formatterOf } from '../../editor/format/formatter-of.ts'
import type { Command } from '../../shell/palette/command.ts'
import { usePageCommands } from '../../shell/palette/page-commands.ts'
import { toolFileOf } from './config/tool-file-of.ts'
import type { WorkspaceWork } from './use-workspace-work.ts'

/** What the palette offers for the open file. */
export function useWorkspaceCommands(work: WorkspaceWork): void {
  const { workspace, path, mayRun, mayWrite, run, bench, setGoing, setDialog, help } = work
  const runFile: Command = {
    ...{ id: 'run file', group: 'This file', label: `Run ${path}`, icon: Play, keys: 'mod enter' },
    run: () => run(),
  }
  const askAbout: Command = {
    ...{
      id: 'ask about file',
      group: 'This file',
      label: `Ask about ${path}`,
      words: 'agent chat',
      icon: MessageSquare,
    },
    run: () => bench.show('right', 'chat'),
  }
  const goToFile: Command = {
    ...{ id: 'go to file', group: 'This workspace', label: 'Go to file', words: 'quick open', icon: FileSearch },
    ...{ keys: 'mod p', run: () => setGoing(true) },
  }
  const search: Command = {
    ...{ id: 'search files', group: 'This workspace', label: 'Search in all files', words: 'find replace' },
    ...{ icon: Search, keys: 'shift mod f', run: work.search },
  }
  const newFile: Command = {
    ...{ id: 'new file', group: 'This workspace', label: 'New file', words: 'create', icon: FilePlus },
    run: () => setDialog({ kind: 'new', folder: '' }),
  }
  const isFormatted = path !== undefined && formatterOf(path) !== undefined && mayWrite.may
  const format: Command = {
    ...{ id: 'format file', group: 'This file', label: `Format ${path}`, words: 'prettier ruff', icon: WandSparkles },
    ...{ keys: 'shift alt f', run: () => requestFormat(`/workspaces/${workspace.id}/${path}`) },
  }
  const formatOnSave: Command = {
    ...{ id: 'format on save', group: 'This file', icon: WandSparkles },
    label: formatsOnSave() ? 'Do not format on save' : 'Format on save',
    run: () => setFormatOnSave(!formatsOnSave()),
  }
  const tool = path === undefined ? undefined : (toolFileOf(path, work.files)?.path ?? (languageOfFile(path) && path))
  const publish: Command[] =
    tool === undefined || !mayWrite.may
      ? []
      : [
          {
            ...{ id: 'publish as tool', group: 'This file', label: 'Publish as tool', words: 'export', icon: Wrench },
            run: () => setDialog({ kind: 'export-tool', path: tool }),
          },
        ]
  const helps: Command[] =
    help && path !== undefined
      ? [
          ...asks.map(({ kind, label }) => ({
            ...{ id: `help ${kind}`, group: 'This file', label: `${label} ${path}`, words: 'model ai', icon: Sparkles },
            run: () => help.askAbout(kind, path),
          })),
          {
            ...{ id: 'suggestions', group: 'This workspace', words: 'completion model ai', icon: Sparkles },
            label: help.isSuggesting ? 'Turn suggestions off' : 'Turn suggestions on',
            run: () => help.setSuggesting(!help.isSuggesting),
          },
        ]
      : []
  usePageCommands([
    ...(path === undefined || !mayRun.may ? [] : [runFile, askAbout]),
    ...(isFormatted ? [format, formatOnSave] : []),
    ...publish,
    ...helps,
    goToFile,
    search,
    ...(mayWrite.may ? [newFile] : []),
  ])
}

const asks = [
  { kind: 'explain', label: 'Explain' },
  { kind: 'test', label: 'Write a test for' },
  { kind: 'edit', label: 'Edit by instruction:' },
] as const
