import { useMemo } from 'react'
import { FileChange } from './file-change.tsx'
import { splitDiff } from './parse-diff.ts'

// beyond these a list of names is read first
const mostOpen = 10

/** The changes of several files from one unified diff. */
export function Changes({ diff, label }: { diff: string; label: string }) {
  const files = useMemo(() => splitDiff(diff), [diff])
  if (files.length === 0) return <p className="text-dense text-muted">The same files.</p>
  return (
    <div role="region" aria-label={label} className="flex w-full min-w-0 flex-col gap-2">
      {files.map((file) => (
        <FileChange key={file.path} {...file} isBounded startsOpen={files.length <= mostOpen} />
      ))}
    </div>
  )
}
