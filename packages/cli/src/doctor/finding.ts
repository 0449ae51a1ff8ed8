/** One thing that was looked at. `fix` says how to get what is missing or to mend what is wrong. */
export interface Finding {
  name: string
  /** `missing` keeps something from working; `weak` makes it less than it could be. */
  state: 'ok' | 'weak' | 'missing'
  found: string
  fix?: string
}

/** How to get packages of a system on it. */
export function installLine(names: string[], isRoot: boolean): string {
  return `${isRoot ? '' : 'sudo '}apt-get install -y --no-install-recommends ${names.join(' ')}`
}
