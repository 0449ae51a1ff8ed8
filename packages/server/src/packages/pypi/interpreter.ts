import { createHash } from 'node:crypto'

/** The Python that programs run with. */
export interface Interpreter {
  /** Its path in sandboxes. */
  python: string
  /** Such as `3.11`. */
  version: string
  /** Packages that every program finds: versions by normalized name. */
  packages: Readonly<Record<string, string>>
  /** A platform by its name of uv, where it is not the machine's. */
  target?: string
}

/** The same for interpreters that find the same with a set of packages. */
export function platformOf({ version, packages }: Interpreter): string {
  const base = Object.entries(packages).sort(([one], [other]) => (one < other ? -1 : 1))
  const hash = createHash('sha256').update(JSON.stringify(base)).digest('hex').slice(0, 16)
  return `python-${version}-${process.arch}-${hash}`
}
