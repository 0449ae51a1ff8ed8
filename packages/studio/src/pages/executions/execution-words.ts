import { formatDuration, type ExecutionSummary, type StartedBy, type StartKind } from '@coherex/contract'

export const startNames: Record<StartKind, string> = {
  person: 'A person',
  key: 'An API key',
  agent: 'Another agent',
  run: 'Another run',
  schedule: 'A schedule',
  webhook: 'A webhook',
  event: 'An event',
}

const doors: Record<NonNullable<StartedBy['door']>, string> = {
  studio: 'studio',
  cli: 'command line',
  api: 'API',
  mcp: 'MCP',
}

/** What began it, in few words: `Ann in the studio`, `API key ci`, `schedule daily`. */
export function startWords(startedBy: StartedBy, person: string): string {
  const { kind, door, name } = startedBy
  switch (kind) {
    case 'person':
      return door ? `${person}, ${doors[door]}` : person
    case 'key':
      return name ? `API key ${name}` : 'API key'
    case 'run':
      return name ? `tool ${name}` : 'a run'
    case 'agent':
    case 'schedule':
    case 'webhook':
    case 'event':
      return name ? `${kind} ${name}` : kind
  }
}

/** How long it took, or takes since it began; undefined before. */
export function tookWords(
  { startedAt, endedAt, durationMs }: Pick<ExecutionSummary, 'startedAt' | 'endedAt' | 'durationMs'>,
  nowMs: number,
): string | undefined {
  if (durationMs !== null) return formatDuration(durationMs)
  if (!startedAt || endedAt) return undefined
  return formatDuration(Math.max(0, Math.floor((nowMs - Date.parse(startedAt)) / 100) * 100))
}

/** The first line with words in it. */
export function firstLine(text: string): string {
  return text.split('\n').find((line) => line.trim() !== '') ?? ''
}
