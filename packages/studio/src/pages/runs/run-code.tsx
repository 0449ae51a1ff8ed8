import { formatBytes, type GivenFile, type RunError, type RunProgram } from '@coherex/contract'
import { useMemo, useState } from 'react'
import { CodeEditor } from '../../editor/code-editor.tsx'
import { placeOfError, type CodePlace } from '../../output/find-places.ts'
import { FileTabs } from './file-tabs.tsx'

interface RunCodeProps {
  id: string
  program: RunProgram
  error: RunError | undefined
  reveal: CodePlace | undefined
}

/** The code that was run, with the line that failed marked. */
export function RunCode({ id, program, error, reveal }: RunCodeProps) {
  const { code, entry, files } = program
  const [picked, setPicked] = useState<{ path: string; since: CodePlace | undefined }>()
  const all = useMemo(
    () => ({ [entry]: code, ...Object.fromEntries(Object.entries(files).map(([path, file]) => [path, textOf(file)])) }),
    [entry, code, files],
  )
  const failure = useMemo(() => error && placeOfError(error, Object.keys(all)), [error, all])
  const marks = useMemo(() => (failure && error ? [{ ...failure, message: error.message }] : []), [failure, error])
  // a place to show wins over a tab that was picked before it
  const active = picked && picked.since === reveal ? picked.path : (reveal?.path ?? failure?.path ?? entry)
  return (
    <>
      {Object.keys(files).length > 0 && (
        <FileTabs paths={Object.keys(all)} active={active} onPick={(path) => setPicked({ path, since: reveal })} />
      )}
      <CodeEditor label="Code of the run" folder={id} files={all} active={active} marks={marks} reveal={reveal} />
    </>
  )
}

// what is no text is told by its size
function textOf(file: GivenFile): string {
  if (typeof file === 'string') return file
  return `Not text: ${formatBytes(Math.floor((file.base64.replace(/=+$/, '').length * 3) / 4))}`
}
