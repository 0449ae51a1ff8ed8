import type { WorkspaceFile } from '@coherex/contract'

/** The tool.yaml of the folder that a file is in, or of one around it. */
export function toolFileOf(path: string, files: readonly WorkspaceFile[]): WorkspaceFile | undefined {
  const folders = path.split('/').slice(0, -1)
  for (let depth = folders.length; depth >= 0; depth--) {
    const name = [...folders.slice(0, depth), 'tool.yaml'].join('/')
    const found = files.find((one) => one.path === name && one.kind === 'text')
    if (found) return found
  }
  return undefined
}
