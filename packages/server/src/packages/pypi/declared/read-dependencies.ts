import type { CoherexError } from '@coherex/contract'
import { parse, TomlError } from 'smol-toml'
import { parseRequirement } from '../requirement.ts'
import type { DeclaredPackages } from './declared-packages.ts'

type Wrong = (why: string) => CoherexError

// parsed where others wait
const maxText = 300_000

export function parseToml(text: string, wrong: Wrong): Record<string, unknown> {
  if (text.length > maxText) throw wrong('it is longer than 300 kB')
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [what = 'it is not TOML'] = error.message.split('\n')
    throw wrong(`${what.replace(/^Invalid TOML document: /, '')} (line ${error.line})`)
  }
}

/** A list of requirements as metadata of Python has it. */
export function readDependencies(list: unknown, requiresPython: unknown, wrong: Wrong): DeclaredPackages {
  if (list !== undefined && !Array.isArray(list)) throw wrong('"dependencies" must be a list')
  const requirements: string[] = []
  const ignored: string[] = []
  for (const entry of (list ?? []) as unknown[]) {
    if (typeof entry !== 'string') throw wrong('"dependencies" must be a list of texts')
    const requirement = parseRequirement(entry)
    if (requirement) requirements.push(requirement.text)
    else ignored.push(entry)
  }
  return { requirements, ignored, ...(typeof requiresPython === 'string' && { requiresPython }) }
}
