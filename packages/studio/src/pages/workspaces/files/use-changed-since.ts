import type { WorkspaceFile, WorkspaceVersion } from '@coherex/contract'
import { useEffect, useState } from 'react'
import { useMe } from '../../../data/access/me.ts'
import { useVersionList } from '../../../data/version.ts'
import { readStored, writeStored } from '../../../ui/state/stored.ts'
import { useNow } from '../../../ui/state/use-now.ts'
import { relativeTime } from '../../../words/relative-time.ts'

interface Since {
  workspaceId: string
  files: readonly WorkspaceFile[]
  /** The number of the last version. */
  version: number
  /** The file in sight, which is seen. */
  path: string | undefined
}

/** Files that others changed since one was here last, each with who and when; a file that is opened is seen. */
export function useChangedSince({ workspaceId, files, version, path }: Since): ReadonlyMap<string, string> {
  const key = `seen.${workspaceId}`
  const me = useMe().person.id
  const now = useNow(false)
  const [before] = useState(() => Number(readStored(key) ?? Infinity))
  const [seen, setSeen] = useState<ReadonlyMap<string, number>>(new Map())
  useEffect(() => writeStored(key, String(version)), [key, version])

  const active = files.find((file) => file.path === path)
  if (active && seen.get(active.path) !== active.version) setSeen(new Map(seen).set(active.path, active.version))
  const changed = files.filter((file) => file.version > Math.max(before, seen.get(file.path) ?? 0))
  const versions = useVersionList(workspaceId, undefined, changed.length > 0).items ?? []
  return changedSince({ changed, versions, me, now })
}

/** What is said of each; what one changed oneself is known, and so is nothing of versions that are not loaded. */
function changedSince({
  changed,
  versions,
  me,
  now,
}: {
  changed: readonly WorkspaceFile[]
  versions: readonly WorkspaceVersion[]
  me: string
  now: number
}): ReadonlyMap<string, string> {
  const byNumber = new Map(versions.map((version) => [version.number, version]))
  return new Map(
    changed.flatMap(({ path, version }) => {
      const made = byNumber.get(version)
      if (!made || made.author.id === me) return []
      return [[path, `Changed by ${made.author.name}, ${relativeTime(made.at, now)}`] as const]
    }),
  )
}
