// Runs on both sides: in the server and, from this very file, in Node guests.

export interface PackageSpecifier {
  name: string
  /** What follows the name, such as `/array`. */
  subpath: string
}

const form = /^(?:npm:)?((?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*)(?:@[^/]*)?((?:\/[\w.@+~-]+)*)$/

/** The package that an import names: `es-toolkit/array`, `npm:es-toolkit@1.39/array`. Versions are the lock's to know. */
export function readSpecifier(specifier: string): PackageSpecifier | undefined {
  if (specifier.length > 300) return undefined
  const [, name, subpath = ''] = form.exec(specifier) ?? []
  if (name === undefined || subpath.split('/').some((part) => part === '.' || part === '..')) return undefined
  return { name, subpath }
}
