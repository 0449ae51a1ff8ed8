import type { WorkspaceVersion } from '@coherex/contract'

/** Versions of one turn of an agent that follow each other, newest first; or one version. */
export type VersionGroup = readonly [WorkspaceVersion, ...WorkspaceVersion[]]

export function groupVersions(versions: readonly WorkspaceVersion[]): VersionGroup[] {
  const groups: [WorkspaceVersion, ...WorkspaceVersion[]][] = []
  for (const version of versions) {
    const last = groups.at(-1)
    const before = last?.at(-1)
    const isOfTurn = version.author.turnId !== undefined && before?.author.turnId === version.author.turnId
    // a history of one file leaves out versions of others between them
    if (last && isOfTurn && before?.number === version.number + 1) last.push(version)
    else groups.push([version])
  }
  return groups
}

/** Such as `coder changed 3 files`. */
export function groupTitle(group: VersionGroup): string {
  const files = new Set(group.flatMap(({ changes }) => changes.map(({ path }) => path))).size
  return `${group[0].author.id} changed ${files} ${files === 1 ? 'file' : 'files'}`
}
