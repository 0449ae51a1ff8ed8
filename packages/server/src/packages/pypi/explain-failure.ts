import { CoherexError } from '@coherex/contract'
import { moduleHint } from './module-hint.ts'
import { normalizeName } from './requirement.ts'

export interface FailedResolution {
  stderr: string
  /** Without credentials. */
  index: string
  /** Hosts that were asked for and not allowed. */
  refused: readonly string[]
  allowBuilds: boolean
  /** Releases after it are left out. */
  before?: Date | undefined
  pythonVersion: string
}

const unsatisfiable = /No solution found/
const notFound = /(?:Because |And because )?([A-Za-z0-9][\w.-]*) was not found in the package (?:registry|index)/
const noWheel =
  /([A-Za-z0-9](?:[\w.-]*\w)?)((?:[<>=!~,]+[\w.*+!]+)*) (?:has|have) no (?:usable wheels|wheels with a matching)/
const noVersions = /there (?:is|are) no versions? of ([A-Za-z0-9][\w.-]*)/
const onlyAvailable =
  /[Bb]ecause only (?:the following versions of )?([A-Za-z0-9][\w.-]*?)(?:\[[^\]]*\])?((?:[<>=!~]=?\S*)+) (?:is|are) available/
const failedFetch = /Failed to (?:fetch|download)|Request failed|error sending request/

/** A package that only comes as source, where uv says that this is why it found no answer. */
export function findUnbuilt(stderr: string): { name: string; specifier: string } | undefined {
  const [, name, specifier = ''] = (unsatisfiable.test(stderr) && noWheel.exec(proseOf(stderr))) || []
  return name === undefined ? undefined : { name: normalizeName(name), specifier }
}

/** What uv said when it found no answer, in words for whoever asked; its own are the cause. */
export function explainFailure(failed: FailedResolution): CoherexError {
  const { code, message } = describe(failed)
  const cause = new Error(failed.stderr.slice(0, 4000))
  return new CoherexError(code, message.replace(/\.?$/, ''), { cause })
}

function describe(failed: FailedResolution): Described {
  const { stderr, index, refused, pythonVersion, before } = failed
  const said = proseOf(stderr)
  const aged = before
    ? `, and releases after ${before.toISOString().slice(0, 10)} are too new for the team's rules`
    : ''
  if (unsatisfiable.test(stderr)) {
    const missing = notFound.exec(said)?.[1]
    if (missing) return fail('not_found', `There is no package "${missing}" in ${index}${moduleHint(missing)}`)
    const [, name, versions] = noWheel.exec(said) ?? []
    if (name) {
      const which = versions ? `${name} ${versions.replace(/^==/, '')}` : name
      const way = failed.allowBuilds
        ? 'and building it from source did not work either'
        : 'ask for another version, or let an admin allow builds of source distributions in the rules of packages'
      return fail('invalid_input', `${which} has no wheel for Python ${pythonVersion} on this machine: ${way}${aged}`)
    }
    const only = onlyAvailable.exec(said)
    if (only?.[1] && !/depends on/.test(said)) {
      return fail('not_found', `No version fits: of ${only[1]} there is ${only[2]?.trim() || 'another'}${aged}`)
    }
    const none = noVersions.exec(said)?.[1]
    if (none && !/depends on/.test(said)) return fail('not_found', `No version of ${none} fits${aged}`)
    return fail('invalid_input', `The packages do not fit together: ${said.slice(0, 1500)}${aged}`)
  }
  if (refused.length > 0) {
    const hosts = [...new Set(refused)].slice(0, 3).join(', ')
    return fail(
      'unavailable',
      `Cannot resolve the packages: the package index ${index} leads to ${hosts}, which is neither the index nor where it keeps its files`,
    )
  }
  if (failedFetch.test(stderr)) {
    return fail('unavailable', `Cannot ask the package index ${index}: it cannot be reached or stopped answering`)
  }
  return fail('invalid_input', `Cannot resolve the packages: ${said.slice(0, 600) || 'uv gave no reason'}`)
}

/** Its sentences without the frame: no level, no arrows, no paths of the sandbox. */
function proseOf(stderr: string): string {
  const cause = /\bcause:([\s\S]*?)(?:\n\s*\n|\n\s*hint:|$)/.exec(stderr)?.[1] ?? stderr
  return cause
    .replace(/^\s*(?:error|warning):/gm, '')
    .replace(/[×╰─▶│]/g, ' ')
    .replace(/-r wanted\.in|`?wanted\.in`?/g, 'what was asked for')
    .replace(/\s+/g, ' ')
    .replace(/, we can conclude that your requirements are unsatisfiable\.?/, '.')
    .trim()
}

interface Described {
  code: 'not_found' | 'invalid_input' | 'unavailable'
  message: string
}

function fail(code: Described['code'], message: string): Described {
  return { code, message }
}
