import type { ResolvedPackage } from '../package-source.ts'
import type { Interpreter } from './interpreter.ts'
import { parseRequirement, type Requirement } from './requirement.ts'

// compiled against numpy: with one of another major version they fail when they are imported, by whichever package does it
const builtOnNumpy = ['bottleneck', 'contourpy', 'matplotlib', 'numexpr', 'pandas', 'pyarrow', 'scikit-learn', 'scipy']

/**
 * What has to come along where a set brings numpy of another major version than the base stack: packages of the base that are
 * built on it. Empty where everything fits.
 */
export function keepTogether(resolved: readonly ResolvedPackage[], { packages }: Interpreter): Requirement[] {
  const base = packages['numpy']
  const brought = resolved.find(({ name }) => name === 'numpy')?.version
  if (base === undefined || brought === undefined || majorOf(base) === majorOf(brought)) return []
  return builtOnNumpy
    .filter((name) => packages[name] !== undefined && !resolved.some((one) => one.name === name))
    .flatMap((name) => parseRequirement(name) ?? [])
}

function majorOf(version: string): string {
  return version.split('.')[0] ?? ''
}
