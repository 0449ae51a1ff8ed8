import type { PackagePolicy } from '@coherex/contract'

export const modes = [
  { value: 'any', label: 'Any' },
  { value: 'listed', label: 'Listed' },
  { value: 'none', label: 'None' },
] as const

export const modeWords: Record<PackagePolicy['mode'], string> = {
  any: 'Editors and agents may add any package of the registries.',
  listed: 'Only packages that match a line of the list may be added. What such a package needs comes with it.',
  none: 'Nobody may add packages. Code has what the server brings.',
}

export const buildWords =
  'Some Python packages come only as source. They are built in a sandbox without network, by code that the package brings.'
