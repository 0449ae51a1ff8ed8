import type { OpenTab } from '../../workbench/open-tabs.tsx'
import { FileIcon } from './tree/file-icon.tsx'

/** Tabs by the names of their files; those of the same name say their folders. */
export function tabsOf(paths: readonly string[]): OpenTab[] {
  const names = Map.groupBy(paths, nameOf)
  return paths.map((path) => {
    const name = nameOf(path)
    const isAlone = names.get(name)?.length === 1
    return {
      value: path,
      label: isAlone ? name : path,
      title: path,
      icon: <FileIcon path={path} />,
    }
  })
}

const nameOf = (path: string) => path.split('/').at(-1) ?? path
