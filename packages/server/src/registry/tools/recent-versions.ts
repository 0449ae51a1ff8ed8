import type { ToolFolder } from './tool-kind.ts'

/** A version as it is called. */
export interface RecentVersion {
  digest: string
  content: ToolFolder
}

const mostBytes = 32_000_000

/** Versions that were asked for lately: what they say never changes. The one asked for longest ago goes first. */
export function createRecentVersions() {
  const recent = new Map<string, { version: RecentVersion; bytes: number }>()
  let bytesInAll = 0

  const forget = (key: string) => {
    bytesInAll -= recent.get(key)?.bytes ?? 0
    recent.delete(key)
  }
  return async (key: string, load: () => Promise<RecentVersion>): Promise<RecentVersion> => {
    const known = recent.get(key)
    const version = known?.version ?? (await load())
    const bytes = known?.bytes ?? sizeOf(version.content)
    forget(key)
    recent.set(key, { version, bytes })
    bytesInAll += bytes
    for (const oldest of recent.keys()) {
      if (bytesInAll <= mostBytes) break
      forget(oldest)
    }
    return version
  }
}

function sizeOf({ files, input, output }: ToolFolder): number {
  let bytes = JSON.stringify([input, output]).length + 1_000
  for (const file of files.values()) bytes += file.length
  return bytes
}
