import type { Skill, SkillVersionDetails } from '@coherex/contract'
import { createTwoFilesPatch } from 'diff'
import type { Database } from '../../base/index.ts'
import { showHidden } from '../show-hidden.ts'
import { byPath, readText, type SkillContent } from './skill-content.ts'
import { selectSkill, selectSkillContent, selectSkillVersion } from './skill-store.ts'
import { toSummary, toVersionDetails } from './stored-skill.ts'

export async function getSkill(database: Database, teamId: string, name: string): Promise<Skill> {
  return database.transaction({ team: teamId }, async (transaction) => {
    const { row, version, proposals } = await selectSkill(transaction, teamId, name)
    const content = await selectSkillContent(transaction, teamId, { name, version: version.version })
    return { ...toSummary(row, version, proposals), current: toVersionDetails(version, content) }
  })
}

export async function getSkillVersion(
  database: Database,
  teamId: string,
  at: { name: string; version: number },
): Promise<SkillVersionDetails> {
  return database.transaction({ team: teamId }, async (transaction) =>
    toVersionDetails(
      await selectSkillVersion(transaction, teamId, at),
      await selectSkillContent(transaction, teamId, at),
    ),
  )
}

/** The files of a version, as they were stored. */
export async function readSkillContent(
  database: Database,
  teamId: string,
  at: { name: string; version: number },
): Promise<SkillContent> {
  return database.transaction({ team: teamId }, async (transaction) => {
    await selectSkillVersion(transaction, teamId, at)
    return selectSkillContent(transaction, teamId, at)
  })
}

/** What differs between two versions, for people who decide on it: nothing in it is invisible. */
export async function diffSkillVersions(
  database: Database,
  teamId: string,
  { name, from, to }: { name: string; from: number; to: number },
): Promise<string> {
  const before: SkillContent =
    from === 0 ? new Map() : await readSkillContent(database, teamId, { name, version: from })
  const after = await readSkillContent(database, teamId, { name, version: to })
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
