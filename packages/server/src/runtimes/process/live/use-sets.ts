import { CoherexError } from '@coherex/contract'
import { type PackageSet, setsInside } from '../../package-set.ts'
import { KeeperError, type KeeperLink } from './keeper-link.ts'

const languages: readonly PackageSet['language'][] = ['python', 'javascript']
/** Where links to the sets of a sandbox are; `guest/keeper/sets.py` makes them. */
const links = '/tmp/.coherex'

/** Where programs of a sandbox find the commands of its packages. */
export const setPrograms = [`${links}/python/bin`, `${links}/javascript/node_modules/.bin`]

/** Node looks for packages in every folder above a file, and this is above all of them. */
export const nodeModulesLink = { target: `${links}/javascript/node_modules`, path: '/node_modules' }

/** Makes these the packages of a sandbox, and of a language that has none here none. */
export async function useSets(link: KeeperLink, sets: readonly PackageSet[]): Promise<void> {
  try {
    await link.ask({ act: 'use', sets: targetsOf(sets) })
  } catch (error) {
    if (!(error instanceof KeeperError)) throw error
    throw new CoherexError('conflict', `Cannot give the sandbox its packages: its folder ${links} said ${error.code}`)
  }
}

/** Where the link of each language is to lead. */
export function targetsOf(sets: readonly PackageSet[]): Record<string, string | null> {
  const targets = languages.map((language) => {
    const set = sets.find((one) => one.language === language)
    return [language, set ? `${setsInside}/${set.folder}` : null] as const
  })
  return Object.fromEntries(targets)
}
