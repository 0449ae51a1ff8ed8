import type { Program } from '../../runtime.ts'

/** Loaded ahead in the data zygote, in this order; the last one uses the others and clears what that left. */
export const dataModules = ['numpy', 'pandas', 'matplotlib.pyplot', 'warm_data']

// no \s where a line begins: over a million empty lines it would look at each of them again from every other
const imports =
  /^[ \t]*(?:from[ \t]+|import[ \t]+(?:[\w.]+(?:[ \t]+as[ \t]+\w+)?[ \t]*,[ \t]*)*)(?:numpy|pandas|matplotlib|scipy|sklearn|seaborn)\b/m
const ownModule = /^(?:numpy|pandas|matplotlib)(?:\.py|\/|$)/
// settings that these packages read once, when they are loaded
const readAtImport = /^(?:MPL|MATPLOTLIB|OPENBLAS_|OMP_|NUMEXPR_|NPY_|NUMPY_|PANDAS_|PYTHON)/

/** Whether Python text imports a package of the data stack, as far as one look can tell. */
export function importsDataStack(code: string): boolean {
  return imports.test(code)
}

/** Whether a module, or a file of it, is one of those that are loaded ahead. */
export function isOfDataStack(path: string): boolean {
  return ownModule.test(path)
}

/** Whether a program is better off with numpy, pandas and matplotlib loaded already, and cannot tell that they were. */
export function wantsDataStack(program: Program): boolean {
  const { language, code, files, env, set } = program
  return (
    language === 'python' &&
    importsDataStack(code) &&
    !Object.keys(files).some(isOfDataStack) &&
    // of another version than those that are loaded
    !set?.modules.some(isOfDataStack) &&
    !Object.keys(env).some((name) => readAtImport.test(name))
  )
}
