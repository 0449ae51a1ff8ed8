// what is between `import` and `from` has no other import in it, so that much of it is read once
const form = /^[ \t]*(?:import|export)\b(?:(?:(?!^[ \t]*(?:import|export)\b)[^'"`;()])*?\bfrom)?\s*['"]([^'"\n]+)['"]/gm
const own = /^react(?:-dom)?(?:\/|$)/

/** Packages that the code of a component imports, beside React. */
export function findImports(code: string): string[] {
  const found = [...code.matchAll(form)].map(([, name = '']) => name)
  return [...new Set(found)].filter((name) => !own.test(name) && !/^[./]|^\w+:\/\//.test(name)).slice(0, 20)
}
