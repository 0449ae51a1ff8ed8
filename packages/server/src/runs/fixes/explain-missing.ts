import { isBuiltin } from 'node:module'
import { outgrewIsolate, type Fix } from '@coherex/contract'
import { pythonPackageOf } from '../../packages/index.ts'
import { allowedPackage } from '../../runtimes/index.ts'
import type { Explanation, Failure } from './explain-error.ts'

// of a program in CommonJS, where they are no globals
const ofCommonJs = new Set(['require', 'module', 'exports', '__dirname', '__filename'])

/** A module, package or command that the code needs and does not find. */
export function explainMissing(failure: Failure): Explanation | undefined {
  const { runtime } = failure
  if (runtime === 'isolate') {
    const lacking = lackingInIsolate(failure)
    if (lacking !== undefined) {
      const summary = `The isolate this ran in has no ${lacking}; a process has`
      return { summary, fixes: [{ kind: 'use-process', value: 'process', label: 'Run as a process' }] }
    }
  }
  return explainPython(failure) ?? explainScript(failure) ?? explainOthers(failure)
}

function lackingInIsolate({ error, runtime }: Failure): string | undefined {
  const [, imported] = /^(?:\w+: )?Cannot import "([\w:/@.-]{1,100})"/.exec(error.message) ?? []
  const receipt = { name: runtime ?? 'isolate', reason: '', passedOver: [] }
  if (outgrewIsolate({ runtime: receipt, error }) !== undefined) return `module ${imported ?? 'of Node'}`
  if (imported !== undefined && isBuiltin(imported)) return `module ${imported}`
  const [, name] = /^ReferenceError: ([\w$]{1,60}) is not defined/.exec(error.message) ?? []
  return name !== undefined && (ofCommonJs.has(name) || name in globalThis) ? name : undefined
}

function explainPython({ error: { message }, place }: Failure): Explanation | undefined {
  const [, path] = /^ModuleNotFoundError: No module named '([\w.]{1,100})'/.exec(message) ?? []
  const module = path?.split('.')[0]
  if (!module) return undefined
  const known = pythonPackageOf(module)
  // most modules are named like their packages; a person sees the name before it is added
  const name = known ?? module
  const where = known
    ? `it comes with the package ${known}`
    : 'it is neither a file beside the code nor in a package that it has'
  return { summary: `Python has no module ${module} here: ${where}`, fixes: [addPackage(name, place)] }
}

function explainScript({ error: { message }, place }: Failure): Explanation | undefined {
  const found =
    /Cannot find (?:package|module) '(?:npm:)?([\w@/.^~<>=*-]{1,214})'/.exec(message) ??
    /Cannot import "([\w@/.-]{1,200})": it is not a file/.exec(message)
  const specifier = found?.[1]
  if (specifier === undefined || /^[./]/.test(specifier)) return undefined
  // a sandbox has what was added to it, and not the list
  const listed = place === 'sandbox' ? undefined : allowedPackage(specifier)
  if (listed !== undefined) {
    const summary = `The package ${listed} is here, and the code did not name it where it is looked for`
    return { summary, fixes: [{ ...addPackage(listed, place), value: specifier }] }
  }
  // `npm:name@1/part` in a cell: the versions it names are those to add
  const [name = specifier] = /^(?:@[^/]*\/)?[^/]*/.exec(specifier) ?? []
  return { summary: `The package ${name} is not here`, fixes: [addPackage(name, place)] }
}

function addPackage(name: string, place: Failure['place']): Fix {
  const where = place === 'sandbox' ? ' to this sandbox' : ''
  return { kind: 'add-package', value: name, label: `Add ${name}${where} and run again` }
}

/** What other languages say, in their messages and on standard error. */
function explainOthers({ error, language, output }: Failure): Explanation | undefined {
  const text = `${error.message}\n${printedLast(output)}`
  const [, ofR] = language === 'r' ? (/there is no package called ['‘"]([\w.]{1,100})['’"]/.exec(text) ?? []) : []
  if (ofR) return { summary: `The R package ${ofR} is not available on this server`, fixes: [] }
  const [, gem] = language === 'ruby' ? (/cannot load such file -- ([\w/-]{1,100})/.exec(text) ?? []) : []
  if (gem) return { summary: `The gem ${gem.split('/')[0]} is not available on this server`, fixes: [] }
  const [, command] = error.exitCode === 127 ? (/: ([\w.+-]{1,60}): command not found/.exec(text) ?? []) : []
  return command ? { summary: `The command ${command} is not available in this sandbox`, fixes: [] } : undefined
}

const lastCharacters = 8_000

/** The end of what a run wrote to standard error. */
export function printedLast(output: Failure['output']): string {
  let text = ''
  for (let at = output.length - 1; at >= 0 && text.length < lastCharacters; at--) {
    const line = output[at]
    if (line && (line.stream === 'stderr' || line.stream === 'error'))
      text = `${line.text.slice(-lastCharacters)}\n${text}`
  }
  return text.slice(-lastCharacters)
}
