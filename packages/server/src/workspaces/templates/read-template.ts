import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorkspaceTemplate } from '@coherex/contract'
import type { Content } from '../files/change-files.ts'

const directory = fileURLToPath(new URL('../../../workspace-templates', import.meta.url))

/** The files a new workspace begins with. They are real files, in `workspace-templates`. */
export async function readTemplate(template: WorkspaceTemplate): Promise<Map<string, Content>> {
  const root = join(directory, template)
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  const contents = new Map<string, Content>()
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    contents.set(relative(root, path).split(sep).join('/'), { kind: 'text', text: await readFile(path, 'utf8') })
  }
  return contents
}
