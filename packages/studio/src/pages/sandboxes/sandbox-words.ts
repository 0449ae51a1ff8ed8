import { formatDuration, languageFacts, type Language, type Sandbox } from '@coherex/contract'

/** Languages whose variables are kept from cell to cell. */
const sessionLanguages = ['python', 'javascript', 'typescript', 'bash', 'sql', 'r'] as const satisfies Language[]

/** Whether a language has sessions, in which a cell finds the variables of those before it. */
export function keepsVariables(language: Language): boolean {
  return (sessionLanguages as readonly Language[]).includes(language)
}

export const languageChoices = sessionLanguages.map((value) => ({
  value: value as Language,
  label: languageFacts[value].name,
}))

export const idleChoices = [
  { value: '300000', label: '5 minutes' },
  { value: '900000', label: '15 minutes' },
  { value: '3600000', label: '1 hour' },
  { value: '28800000', label: '8 hours' },
] as const

/** When it falls asleep, in words; undefined when it does not run. */
export function sleepsIn({ status, expiresAt }: Sandbox, nowMs: number): string | undefined {
  if (status !== 'running' || expiresAt === null) return undefined
  const leftMs = Date.parse(expiresAt) - nowMs
  return leftMs < 60_000 ? 'sleeps soon when idle' : `sleeps in ${formatDuration(Math.ceil(leftMs / 60_000) * 60_000)}`
}

/** Whether cells were run whose variables are gone, so that running them again helps. */
export function hasLostVariables({ notice }: Sandbox): boolean {
  return notice?.includes('rerun runs the cells again') ?? false
}

/** What a person should know before the next cell, in words for people; undefined when there is nothing. */
export function noticeOf(sandbox: Sandbox): string | undefined {
  const { notice, status, reason, forkedFrom } = sandbox
  if (notice === null) {
    return status === 'sleeping' ? `It sleeps: ${reason ?? 'nobody used it'}. The next cell wakes it.` : undefined
  }
  if (!hasLostVariables(sandbox)) return notice
  const missing = /\d+ files? could not be put back/.exec(notice)?.[0]
  const lost =
    forkedFrom !== null && notice.startsWith('Its files are a copy')
      ? 'Variables were not copied. Run all cells again.'
      : 'This sandbox slept. Its files are back, its variables are not: run all cells again.'
  return missing === undefined ? lost : `${lost} ${missing[0]?.toUpperCase() ?? ''}${missing.slice(1)}.`
}

/** Whether processes of its cells fill it, so that a reset helps. */
export function isFullOfProcesses({ notice }: Sandbox): boolean {
  return notice?.includes('no room for another process') ?? false
}

/** What was typed one a line. */
export function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim() || [])
}
