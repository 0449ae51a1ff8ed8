import { execFile } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Language } from '@coherex/contract'
import type { LanguageOnMachine } from '../../runtime.ts'
import type { GuestCommand } from '../guest-command.ts'
import type { BasePython } from './base-python.ts'
import { installHint, type ProcessLanguage } from './languages.ts'

const execute = promisify(execFile)

/** A language as this machine has it. */
export interface FoundLanguage extends LanguageOnMachine {
  command?: GuestCommand
  /** What guests must be shown beyond /usr. */
  binds: { host: string; guest: string }[]
}

/** Looks for every language of a table. Only looks: asking for versions starts programs and waits until it is wanted. */
export function findLanguages(
  table: Partial<Record<Language, ProcessLanguage>>,
  directories: readonly string[] = programDirectories(),
): Map<Language, FoundLanguage> {
  return new Map(
    Object.entries(table).map(([name, language]) => [name as Language, findLanguage(language, directories)]),
  )
}

/** Python as programs have it, which may be another than the first on the machine's paths. */
export function withBasePython(
  languages: Map<Language, FoundLanguage>,
  { python, stack, packages }: BasePython,
  offered: Readonly<Record<string, string>> = {},
): Map<Language, FoundLanguage> {
  const found = languages.get('python')
  if (!found || found.missing) return languages
  let version: Promise<string | undefined> | undefined
  const ask = () => (version ??= askVersion(python, ['--version']))
  return new Map(languages).set('python', { ...found, binds: [], version: ask, stack, packages, offered })
}

function findLanguage(language: ProcessLanguage, directories: readonly string[]): FoundLanguage {
  const install = installHint(language)
  const found = language.programs.map((name) => findProgram(name, directories))
  const missing = language.programs.filter((_, index) => found[index] === undefined)
  const lacking = language.lacks?.()
  if (lacking) return { missing: lacking, install, binds: [], version: async () => undefined }
  if (missing.length > 0) {
    const reason = `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing: ${install}`
    return { missing: reason, install, binds: [], version: async () => undefined }
  }
  const programs = found.filter((path) => path !== undefined)
  let version: Promise<string | undefined> | undefined
  return {
    install,
    ...(language.command && { command: language.command(programs) }),
    binds: programs.flatMap(bindsOf),
    version: () => (version ??= askVersion(programs[0], language.version)),
  }
}

/** Where programs for all users are; what only one user has is not for guests. */
export function programDirectories(): string[] {
  const optional = existsSync('/opt') ? readdirSync('/opt').map((name) => join('/opt', name, 'bin')) : []
  return ['/usr/local/bin', '/usr/bin', '/bin', ...optional]
}

export function findProgram(name: string, directories: readonly string[]): string | undefined {
  return directories.map((directory) => join(directory, name)).find((path) => existsSync(path))
}

/** A program outside of /usr brings its own folder: that of its `bin`, and where a link leads to. */
export function bindsOf(program: string): { host: string; guest: string }[] {
  return [...new Set([program, realpathSync(program)])]
    .filter((path) => !/^\/(usr|bin|sbin|lib)\//.test(path))
    .map((path) => (dirname(path).endsWith('/bin') ? dirname(dirname(path)) : path))
    .map((path) => ({ host: path, guest: path }))
}

async function askVersion(program: string | undefined, question: readonly string[]): Promise<string | undefined> {
  if (!program || question.length === 0) return undefined
  try {
    const { stdout, stderr } = await execute(program, [...question], {
      env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', LANG: 'C.UTF-8' },
      timeout: 10_000,
    })
    return `${stdout}\n${stderr}`.trim().split('\n')[0]?.slice(0, 200)
  } catch {
    // a program that cannot tell its version may still run programs; the run says more
    return undefined
  }
}
