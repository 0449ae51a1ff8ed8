// no \s where a line begins: over a million empty lines it would look at each of them again from every other
const statements =
  /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*[\w.]+(?:[ \t]+as[ \t]+\w+)?)*))/gm

/** Dotted names of the modules that Python text imports, as far as one look can tell. */
export function importedModules(code: string): string[] {
  const names = [...code.matchAll(statements)].flatMap(([, from, list]) =>
    from ? [from] : (list ?? '').split(',').map((one) => one.trim().split(/[ \t]/)[0] ?? ''),
  )
  return [...new Set(names)].filter((name) => /^\w+(\.\w+)*$/.test(name))
}
