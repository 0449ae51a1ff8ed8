import { CoherexError } from '@coherex/contract'
import type { DeclaredPackages } from './declared-packages.ts'
import { parseToml, readDependencies } from './read-dependencies.ts'

/** `[project]` of pyproject.toml: what it needs to run. Undefined where it lists nothing. */
export function readPyproject(text: string): DeclaredPackages | undefined {
  const { project } = parseToml(text, wrong)
  if (typeof project !== 'object' || project === null || !('dependencies' in project)) return undefined
  return readDependencies(project.dependencies, 'requires-python' in project && project['requires-python'], wrong)
}

function wrong(why: string): CoherexError {
  return new CoherexError('invalid_input', `Cannot read pyproject.toml: ${why}`)
}
