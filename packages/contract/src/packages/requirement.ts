import type { Language } from '../runs/languages.ts'
import type { PackageLanguage } from './package.ts'

/** Whose packages code of a language imports; undefined where it has none. */
export function packageLanguageOf(language: Language): PackageLanguage | undefined {
  if (language === 'python') return 'python'
  return language === 'javascript' || language === 'typescript' || language === 'node' ? 'javascript' : undefined
}

/** The name in a requirement and what follows it: `{ name: 'polars', range: '>=1' }`, `{ name: '@types/node', range: '22' }`. */
export function splitRequirement(language: PackageLanguage, requirement: string): { name: string; range: string } {
  const bare = requirement.trim().replace(/^npm:/, '')
  if (language === 'python') {
    const [, name = bare, range = ''] = /^([\w.-]+)\s*(.*)$/s.exec(bare) ?? []
    return { name, range: range.trim() }
  }
  const at = bare.indexOf('@', 1)
  return at < 0 ? { name: bare, range: '' } : { name: bare.slice(0, at), range: bare.slice(at + 1).trim() }
}

/** The requirement of one version and no other. */
export function exactly(language: PackageLanguage, name: string, version: string): string {
  return language === 'python' ? `${name}==${version}` : `${name}@${version}`
}

/** A name as registries compare it: PyPI takes `Ruamel_YAML` and `ruamel.yaml` for the same. */
export function sameName(language: PackageLanguage, name: string): string {
  return language === 'python' ? name.toLowerCase().replace(/[-_.]+/g, '-') : name
}

/** Requirements as people type several of them, with spaces, commas or lines between; `pandas >= 2, < 3` stays one. */
export function readRequirements(typed: string): string[] {
  return typed
    .replace(/\s*([<>=!~]=?|===)\s*/g, '$1')
    .replace(/,\s*(?=[<>=!~])/g, ',')
    .replace(/\s*\[([^\]]*)\]/g, (_, extras: string) => `[${extras.replace(/\s+/g, '')}]`)
    .split(/\s+|,(?![<>=!~])(?![^[]*\])/)
    .filter((one) => one !== '')
}
