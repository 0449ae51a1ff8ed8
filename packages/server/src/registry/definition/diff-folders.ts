import { setImmediate } from 'node:timers/promises'
import { unifiedDiff } from '../../workspaces/index.ts'
import { byPath, readText, type Folder } from './folder.ts'
import { showHidden } from './show-hidden.ts'

/** What differs between the files of two folders, for people who decide on it: nothing in it is invisible. */
export async function diffFolders(before: Folder, after: Folder): Promise<string> {
  const paths = [...new Set([...before.keys(), ...after.keys()])].map((path): [string, null] => [path, null])
  const diffs: string[] = []
  for (const [path] of paths.sort(byPath)) {
    diffs.push(diffFile(path, before.get(path), after.get(path)))
    // others are served meanwhile
    await setImmediate()
  }
  return diffs.join('')
}

function diffFile(name: string, before: Buffer | undefined, after: Buffer | undefined): string {
  if (before && after?.equals(before)) return ''
  const path = showHidden(name)
  const [from, to] = [before && readText(before), after && readText(after)]
  const isBinary = (before && from === undefined) || (after && to === undefined)
  if (isBinary) return `--- a/${path}\n+++ b/${path}\nBinary files differ: ${sizes(before, after)}\n`
  return unifiedDiff({ path, before: toVisible(from), after: toVisible(to) })
}

function toVisible(text: string | undefined): string | undefined {
  return text === undefined ? undefined : showHidden(text, { keepsTabs: true })
}

function sizes(before: Buffer | undefined, after: Buffer | undefined): string {
  return [before, after].map((bytes) => (bytes ? `${bytes.length} bytes` : 'nothing')).join(' → ')
}
