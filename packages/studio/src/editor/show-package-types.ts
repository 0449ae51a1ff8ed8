import type { PackageTypes } from '@coherex/contract'
import { javascriptDefaults, typescriptDefaults } from 'monaco-editor/languages/features/typescript/register'
import './monaco.ts'

/** Lets the language service know types of packages below a folder; answers how to forget them. */
export function showPackageTypes(folder: string, { entries, files }: PackageTypes): () => void {
  const modules = `file:///${folder}/node_modules`
  const hides = [typescriptDefaults, javascriptDefaults].map((defaults) => {
    const before = defaults.getCompilerOptions()
    const libraries = files.map(({ path, text }) => defaults.addExtraLib(text, `${modules}/${path}`))
    const paths = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, [`${modules}/${path}`]]))
    defaults.setCompilerOptions({ ...before, baseUrl: 'file:///', paths, skipLibCheck: true })
    return () => {
      for (const library of libraries) library.dispose()
      defaults.setCompilerOptions(before)
    }
  })
  return () => {
    for (const hide of hides) hide()
  }
}
