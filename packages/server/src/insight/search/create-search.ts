import { CoherexError, foundKinds, type FoundItem, type FoundKind } from '@coherex/contract'
import type { Access, TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import type { Registry } from '../../registry/index.ts'
import { findFiles, toLexemes } from '../../workspaces/index.ts'
import { rankNames } from './rank-names.ts'
import { findMessages, findRuns, findSandboxes, findThreads, findWorkspaces, type Words } from './search-store.ts'

export type Search = ReturnType<typeof createSearch>

interface SearchDeps {
  database: Database
  registry: Registry
  access: Access
}

export interface SearchQuery {
  q: string
  kinds?: string | undefined
  limit: number
}

/** Finds things of the caller's team by their names and by what they say. */
export function createSearch({ database, registry, access }: SearchDeps) {
  return {
    async find({ teamId, person }: TeamCaller, { q, kinds, limit }: SearchQuery): Promise<{ items: FoundItem[] }> {
      const words = toWords(q)
      const asked = parseKinds(kinds)
      const isAsked = (kind: FoundKind) => asked.includes(kind)
      const stored = database.transaction({ team: teamId, person: person.id }, async (transaction) => {
        const ask = { teamId, words, limit }
        // one after the other: a connection answers one question at a time
        return [
          ...(isAsked('workspace') ? await findWorkspaces(transaction, ask) : []),
          ...(isAsked('thread') ? await findThreads(transaction, ask) : []),
          ...(isAsked('sandbox') ? await findSandboxes(transaction, ask) : []),
          ...(isAsked('file') ? (await findFiles(transaction, teamId, { ...words, limit })).map(toItem) : []),
          ...(isAsked('message') ? await findMessages(transaction, ask) : []),
          ...(isAsked('run') ? await findRuns(transaction, ask) : []),
        ]
      })
      const [found, agents, tools, skills, people] = await Promise.all([
        stored,
        isAsked('agent') ? findAgents(teamId, words) : [],
        isAsked('tool') ? findTools(teamId, words) : [],
        isAsked('skill') ? findSkills(teamId, words) : [],
        isAsked('person') ? findPeople(teamId, words) : [],
      ])
      return { items: rankNames([...found, ...agents, ...tools, ...skills, ...people], q).slice(0, limit) }
    },
  }

  async function findAgents(teamId: string, { words }: Words): Promise<FoundItem[]> {
    const { items } = await registry.agents.list(teamId, { limit: 50, search: words[0] })
    return items
      .filter(({ name, description }) => hasAll(`${name}\n${description}`, words))
      .map(({ name, description }) => ({
        ...{ kind: 'agent', id: name, title: name, where: description, url: `/agents/${encodeURIComponent(name)}` },
      }))
  }

  async function findTools(teamId: string, { words }: Words): Promise<FoundItem[]> {
    const { items } = await registry.tools.list(teamId, { limit: 50, search: words[0] })
    return items
      .filter(({ name, description }) => hasAll(`${name}\n${description}`, words))
      .map(({ name, description }) => ({
        ...{ kind: 'tool', id: name, title: name, where: description, url: `/tools/${encodeURIComponent(name)}` },
      }))
  }

  async function findSkills(teamId: string, { words }: Words): Promise<FoundItem[]> {
    const { items } = await registry.skills.list(teamId, { limit: 50, search: words[0] })
    return items
      .filter(({ name, description }) => hasAll(`${name}\n${description}`, words))
      .map(({ name, description }) => ({
        ...{ kind: 'skill', id: name, title: name, where: description, url: `/skills/${encodeURIComponent(name)}` },
      }))
  }

  async function findPeople(teamId: string, { words }: Words): Promise<FoundItem[]> {
    const { items } = await access.teams.listMembers(teamId, { limit: 200 })
    return items
      .filter(({ person: { name, email } }) => hasAll(`${name}\n${email}`, words))
      .map(({ person, role }) => ({
        ...{ kind: 'person', id: person.id, title: person.name, where: role, url: '/settings/members' },
      }))
  }
}

const mostWords = 8

function toWords(q: string): Words & { patterns: string[] } {
  const words = q.toLowerCase().split(/\s+/).slice(0, mostWords)
  const lexemes = toLexemes(q).slice(0, mostWords)
  return {
    words,
    patterns: words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`),
    // letters and digits alone, so nothing of it is an operator
    query: lexemes.map((lexeme) => `'${lexeme}':*`).join(' & '),
  }
}

function parseKinds(kinds: string | undefined): readonly FoundKind[] {
  if (kinds === undefined || kinds === '') return foundKinds
  return kinds.split(',').map((kind) => {
    const known = foundKinds.find((one) => one === kind.trim())
    if (known) return known
    throw new CoherexError('invalid_input', `There is no kind "${kind}": use ${foundKinds.join(', ')}`, {
      details: [{ field: 'kinds' }],
    })
  })
}

const hasAll = (text: string, words: string[]) => words.every((word) => text.toLowerCase().includes(word))

function toItem(file: Awaited<ReturnType<typeof findFiles>>[number]): FoundItem {
  const { workspaceId, workspaceName, path, snippet, line } = file
  // the studio reads its addresses as JSON where they are JSON: a file may be called 2024
  const place = [`file=${encodeURIComponent(path)}`, ...(line === undefined ? [] : [`line=${line}`])].join('&')
  return {
    kind: 'file',
    id: `${workspaceId}/${path}`,
    title: path,
    where: workspaceName,
    ...(snippet === undefined ? {} : { snippet }),
    url: `/workspaces/${workspaceId}?${place}`,
  }
}
