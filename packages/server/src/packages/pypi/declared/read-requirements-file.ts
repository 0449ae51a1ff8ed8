import { parseRequirement } from '../requirement.ts'
import type { DeclaredPackages } from './declared-packages.ts'

// of one requirement; what they pin is checked again when packages are fetched
const lineOptions = /\s--(?:hash|config-settings|global-option)[= ]\S+/g

/** requirements.txt, as pip reads it. Options, addresses and further files are not followed. */
export function readRequirementsFile(text: string): DeclaredPackages {
  const requirements: string[] = []
  const ignored: string[] = []
  // a line that ends in a backslash goes on in the next
  for (const line of text.replace(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    const bare = line.replace(/(^|\s)#.*$/, '').trim()
    if (bare === '') continue
    const requirement = parseRequirement(bare.replace(lineOptions, ''))
    if (requirement) requirements.push(requirement.text)
    else ignored.push(bare)
  }
  return { requirements, ignored }
}
