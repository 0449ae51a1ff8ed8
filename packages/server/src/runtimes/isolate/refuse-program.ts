import { isBuiltin } from 'node:module'
import type { Program } from '../runtime.ts'
import { builtinId, isModulePath } from './child/resolve.ts'
import { scanImports } from './scan-imports.ts'

export interface Needs {
  /** Specifiers of packages, subpaths included. */
  packages: string[]
  refusal: string | undefined
}

/** What a program needs that is not its own, and why an isolate cannot give it. */
export function readNeeds(program: Program, isAllowed: (specifier: string) => boolean): Needs {
  if (program.language !== 'javascript' && program.language !== 'typescript') {
    return { packages: [], refusal: `it runs JavaScript and TypeScript, not ${program.language}` }
  }
  const packages = new Set<string>()
  let refusal = program.args?.length ? 'the program has arguments, and an isolate no command line' : undefined
  const texts = [
    program.code,
    ...Object.entries(program.files).flatMap(([path, content]) =>
      isModulePath(path) && !path.endsWith('.json') && typeof content === 'string' ? [content] : [],
    ),
  ]
  for (const text of texts) {
    const { specifiers, usesRequire } = scanImports(text)
    if (usesRequire) refusal ??= 'the code uses require(), which only the process runtime has'
    for (const specifier of specifiers) {
      if (/^\.{0,2}\//.test(specifier) || builtinId(specifier)) continue
      if (isBuiltin(specifier)) refusal ??= `the Node module "${specifier}" needs a process`
      else if (isAllowed(specifier)) packages.add(specifier)
      else if (isPackageName(specifier)) refusal ??= `the package "${specifier}" is not on the list of an isolate`
    }
  }
  for (const name of program.packages) {
    if (isAllowed(name)) packages.add(name)
    else refusal ??= `the package "${name}" is not on the list of an isolate`
  }
  return { packages: [...packages], refusal }
}

// anything else (a URL, an absolute path) is the guest's mistake, and is told when the line runs
function isPackageName(specifier: string): boolean {
  return /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(\/[\w.-]+)*$/i.test(specifier)
}
