import type { OpenTab } from '../../workbench/open-tabs.tsx'
import { ChangedDot } from './tree/changed-dot.tsx'
import { FileIcon } from './tree/file-icon.tsx'

/** Tabs by the names of their files; those of the same name say their folders. */
export function tabsOf(paths: readonly string[], marks?: ReadonlyMap<string, string>): OpenTab[] {
  const names = Map.groupBy(paths, nameOf)
  return paths.map((path) => {
    const name = nameOf(path)
    const isAlone = names.get(name)?.length === 1
    return {
      value: path,
      label: isAlone ? name : path,
      title: marks?.has(path) ? `${path} · ${marks.get(path)}` : path,
      icon: (
        <>
          <FileIcon path={path} />
          {marks?.has(path) && <ChangedDot words={marks.get(path)} />}
        </>
      ),
    }
  })
}

const nameOf = (path: string) => path.split('/').at(-1) ?? path
