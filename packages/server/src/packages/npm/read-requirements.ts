import { CoherexError } from '@coherex/contract'

const form = /^(?:npm:)?((?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*)(?:@([\w.*^~<>=|+\- ]{1,100}))?$/

/** Ranges by name, as in a package.json. */
export function readRequirements(requirements: readonly string[]): Record<string, string> {
  const ranges = new Map<string, string>()
  for (const requirement of requirements) {
    const [, name, range = '*'] = form.exec(requirement.trim()) ?? []
    if (name === undefined || name.length > 214) {
      const shown = JSON.stringify(requirement.slice(0, 100))
      throw new CoherexError('invalid_input', `${shown} names no package: write it as "es-toolkit" or "es-toolkit@1"`)
    }
    const known = ranges.get(name) ?? '*'
    if (known !== '*' && range !== '*' && known !== range) {
      throw new CoherexError('invalid_input', `"${name}" is asked for as ${known} and as ${range}: choose one of them`)
    }
    ranges.set(name, range === '*' ? known : range.trim())
  }
  return Object.fromEntries(ranges)
}
