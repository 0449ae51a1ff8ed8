import type { ToolDetails, ToolFiles, ToolVerdict } from '@coherex/contract'
import { useMemo } from 'react'
import { useToolValidate } from '../../data/library/tool.ts'
import { useDraft } from '../../ui/state/draft.ts'
import { useSettled } from '../../ui/state/use-settled.ts'
import { useDraftKey } from '../definitions/draft-key.ts'

/** The file that says what the tool is. */
export const toolPath = 'tool.yaml'

const settleMs = 300

export interface ToolDraft {
  files: ToolFiles
  change: (files: ToolFiles) => void
  /** The text of tool.yaml. */
  source: string
  changeSource: (source: string) => void
  isChanged: boolean
  /** What the server says of the files; of an earlier state while `isChecking`. */
  verdict: ToolVerdict | undefined
  isChecking: boolean
  checkError: Error | null
  /** The version that was changed; an older one than the newest when someone else saved meanwhile. */
  base: number
  forget: () => void
  /** These files are stored now as that version; what was typed since then stays. */
  saved: (version: number) => void
  /** Keeps what was typed, as a change of the newest version. */
  rebase: () => void
}

/** The files of a tool's newest version and what was typed since, checked while it is typed. */
export function useToolDraft(name: string, { files: initial, version }: ToolDetails): ToolDraft {
  const draft = useDraft<{ files?: ToolFiles; base?: number }>(useDraftKey('tool', name), {})
  const { files = initial, base = version } = draft.value
  const json = useMemo(() => JSON.stringify(files), [files])
  const checked = useToolValidate(useSettled(json, settleMs))
  const change = (next: ToolFiles) => draft.change({ files: next, base })
  const source = files[toolPath]
  return {
    files,
    change,
    source: typeof source === 'string' ? source : '',
    changeSource: (text) => change({ ...files, [toolPath]: text }),
    isChanged: files !== initial && json !== JSON.stringify(initial),
    verdict: checked.data,
    isChecking: checked.data?.json !== json,
    checkError: checked.error,
    base,
    forget: () => draft.forget({}),
    saved: (stored) => draft.forgetSent({ files }, { base: stored }),
    rebase: () => draft.change({ base: version }),
  }
}
