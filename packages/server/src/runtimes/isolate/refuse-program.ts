import { isBuiltin } from 'node:module'
import { readSpecifier } from '../packages/package-specifier.ts'
import type { Program } from '../runtime.ts'
import { builtinId } from './child/resolve.ts'
import { findMissingFunction } from './missing-functions.ts'
import { isRelative, reachedModules } from './reached-modules.ts'

export interface Needs {
  /** Specifiers of packages that are built in, subpaths included. */
  packages: string[]
  /** Specifiers of packages of the program's set. */
  ofSet: string[]
  refusal: string | undefined
}

// this is the server's own thread; a function that is not found here is told when its line runs
const mostSearched = 1024 * 1024
// it is told in the receipt, which is kept with the run
const longestName = 300

/** What a program needs that is not its own, and why an isolate cannot give it. */
export function readNeeds(program: Program, isBuiltIn: (specifier: string) => boolean): Needs {
  const isInSet = (specifier: string) => {
    const name = program.set?.language === 'javascript' ? readSpecifier(specifier)?.name : undefined
    return name !== undefined && program.set?.modules.includes(name) === true
  }
  const isAllowed = (specifier: string) => isBuiltIn(specifier) || isInSet(specifier)
  const nothing = { packages: [], ofSet: [] }
  if (program.language !== 'javascript' && program.language !== 'typescript') {
    return { ...nothing, refusal: `it runs JavaScript and TypeScript, not ${program.language}` }
  }
  if (program.typecheck && program.language !== 'typescript') {
    return { ...nothing, refusal: 'types are checked in TypeScript only' }
  }
  if (program.args?.length) {
    return { ...nothing, refusal: 'the program has arguments, and an isolate no command line' }
  }
  const unknown = program.packages.find((name) => !isAllowed(name))
  if (unknown !== undefined) return { ...nothing, refusal: `the package "${unknown}" is not on the list of an isolate` }

  if (isCommonJs(program.entry)) return { ...nothing, refusal: commonJs(program.entry) }

  const packages = new Set(program.packages)
  let refusal: string | undefined
  let searched = 0
  let global: string | undefined
  for (const { text, specifiers, usesRequire, nodeGlobal } of reachedModules(program)) {
    if (usesRequire) refusal ??= 'the code uses require(), which only the process runtime has'
    global ??= nodeGlobal
    if (!refusal && searched < mostSearched && specifiers.some((specifier) => builtinId(specifier))) {
      searched += text.length
      const missing = findMissingFunction(text)
      if (missing) refusal = `"${missing}" needs a process`
    }
    for (const specifier of specifiers) {
      if (isRelative(specifier) && isCommonJs(specifier)) refusal ??= commonJs(specifier)
      if (isRelative(specifier) || builtinId(specifier)) continue
      if (isBuiltin(specifier)) refusal ??= `the Node module "${specifier}" needs a process`
      else if (isAllowed(specifier)) packages.add(specifier)
      else if (isPackageName(specifier)) refusal ??= `the package "${specifier}" is not on the list of an isolate`
    }
    if (refusal) break
  }
  if (global) refusal ??= `the code uses ${global}, which only a process has`
  const ofSet = [...packages].filter(isInSet)
  return { packages: [...packages].filter((specifier) => !isInSet(specifier)), ofSet, refusal }
}

function isCommonJs(path: string): boolean {
  return /\.c[jt]s$/.test(path)
}

function commonJs(path: string): string {
  return `"${path.slice(-longestName)}" is CommonJS, which only the process runtime has`
}

// anything else (a URL, an absolute path) is the guest's mistake, and is told when the line runs
function isPackageName(specifier: string): boolean {
  return specifier.length <= longestName && /^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(\/[\w.-]+)*$/i.test(specifier)
}
