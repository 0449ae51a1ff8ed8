import type { Language, LanguageStatus } from '@coherex/contract'
import type { Runtime } from '../../runtimes/index.ts'
import { toProgram } from '../run.ts'

/** Whether a language runs here, on what, why not, and how to get it. */
export function describeLanguage(runtimes: readonly Runtime[], language: Language): LanguageStatus {
  const program = toProgram({ language, code: '' })
  const able = runtimes.filter((runtime) => !runtime.refuses(program))
  if (able.some((runtime) => runtime.health().available)) {
    const { stack, packages } = able.flatMap((runtime) => runtime.language?.(language) ?? [])[0] ?? {}
    return {
      ...{ language, runtimes: able.map(({ name }) => name), available: true },
      ...(stack && { stack }),
      ...(packages && { packages: Object.entries(packages).map(([name, version]) => ({ name, version })) }),
    }
  }
  const known = runtimes.flatMap((runtime) => runtime.language?.(language) ?? [])
  const [missing] = known.filter((one) => one.missing !== undefined)
  const sick = runtimes.find((runtime) => runtime.language?.(language) && !runtime.health().available)?.health().reason
  return {
    language,
    runtimes: able.map(({ name }) => name),
    available: false,
    reason: sick ?? missing?.missing ?? able[0]?.health().reason ?? 'no runtime of this machine takes it',
    ...(missing && { install: missing.install }),
  }
}

/** What the program behind a language says about itself. */
export function versionOf(runtimes: readonly Runtime[], language: Language): Promise<string | undefined> {
  const program = toProgram({ language, code: '' })
  const able = runtimes.find((runtime) => !runtime.refuses(program) && runtime.language?.(language))
  return able?.language?.(language)?.version() ?? Promise.resolve(undefined)
}
