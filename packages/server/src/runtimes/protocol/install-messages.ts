import { packageLanguage, requirements, type PackageLanguage } from '@coherex/contract'

/**
 * What `pip` and `npm` of a sandbox say to the host, and it to them: one JSON text on each line. `process/guest/front/host.py`
 * is the other end.
 */
export interface InstallRequest {
  language: PackageLanguage
  requirements: string[]
  /** Names of packages that are wanted no more. */
  remove: string[]
  /** Newer versions of what is there already are wanted. */
  upgrade: boolean
}

export type InstallAnswer =
  | { type: 'progress'; text: string }
  | { type: 'done'; packages: NamedVersion[]; changed: NamedVersion[] }
  | { type: 'error'; code: string; message: string }

interface NamedVersion {
  name: string
  version: string
}

export const longestInstallRequest = 32_768

/** A request if it has the shape of one; whoever wrote it may be hostile. */
export function readInstallRequest(line: string): InstallRequest | undefined {
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof message !== 'object' || message === null) return undefined
  const given = message as Record<string, unknown>
  const language = packageLanguage.safeParse(given['language'])
  const wanted = requirements.default([]).safeParse(given['requirements'])
  const remove = requirements.default([]).safeParse(given['remove'])
  if (!language.success || !wanted.success || !remove.success) return undefined
  return { language: language.data, requirements: wanted.data, remove: remove.data, upgrade: given['upgrade'] === true }
}
