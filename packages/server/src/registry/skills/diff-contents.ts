import { createTwoFilesPatch } from 'diff'
import { showHidden } from '../show-hidden.ts'
import { byPath, readText, type SkillContent } from './skill-content.ts'

/** What differs between the files of a skill, for people who decide on it: nothing in it is invisible. */
export function diffContents(before: SkillContent, after: SkillContent): string {
  const paths = [...new Set([...before.keys(), ...after.keys()])].map((path): [string, null] => [path, null])
  return paths
    .sort(byPath)
    .map(([path]) => diffFile(path, before.get(path), after.get(path)))
    .join('')
}

function diffFile(path: string, before: Buffer | undefined, after: Buffer | undefined): string {
  if (before && after?.equals(before)) return ''
  const shown = showHidden(path)
  const [from, to] = [before && readText(before), after && readText(after)]
  const isBinary = (before && from === undefined) || (after && to === undefined)
  const names = [before ? `a/${shown}` : '/dev/null', after ? `b/${shown}` : '/dev/null'] as const
  if (isBinary) return `--- ${names[0]}\n+++ ${names[1]}\nBinary files differ: ${sizes(before, after)}\n`
  const visible = (text: string | undefined) => showHidden(text ?? '', { keepsTabs: true })
  return createTwoFilesPatch(...names, visible(from), visible(to), undefined, undefined, {
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  })
}

function sizes(before: Buffer | undefined, after: Buffer | undefined): string {
  return [before, after].map((bytes) => (bytes ? `${bytes.length} bytes` : 'nothing')).join(' → ')
}
