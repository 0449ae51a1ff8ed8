import type { DescribedError, Ending } from '../guest/host.ts'

const kinds: DescribedError['kind'][] = ['syntax', 'runtime', 'denied', 'memory', 'output']

export const changedEnding: Extract<Ending, { ok: false }> = {
  ok: false,
  error: { kind: 'runtime', name: 'Error', message: 'The program changed what its result is told with', stack: '' },
}

/** What a guest says of its end. It is written with the guest's own JSON, which the program may have replaced. */
export function readEnding(text: string): Ending {
  const told = parse(text)
  if (told?.['ok'] === true) {
    const { isScript, result } = told
    if (result === undefined) return { ok: true, isScript: isScript === true }
    if (typeof result === 'string' && isJson(result)) return { ok: true, isScript: isScript === true, result }
  }
  const error = told?.['ok'] === false ? told['error'] : undefined
  if (isRecord(error)) {
    const kind = kinds.find((one) => one === error['kind']) ?? 'runtime'
    const [name, message, stack] = [error['name'], error['message'], error['stack']].map((one) =>
      typeof one === 'string' ? one : '',
    ) as [string, string, string]
    return { ok: false, error: { kind, name, message, stack } }
  }
  return changedEnding
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined // no JSON at all: judged like any other nonsense
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
