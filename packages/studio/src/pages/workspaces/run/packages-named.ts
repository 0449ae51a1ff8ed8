import { chooseManifest, readManifest } from '@coherex/contract'

// of a request; more are added when a cell misses them
const mostPackages = 50

/** The requirements that `requirements.txt` or `pyproject.toml` and `package.json` name, as a sandbox takes them. */
export function packagesNamed(readText: (path: string) => string | undefined): string[] {
  return [
    ...requirementsOf('python', readText).map((one) => `pypi:${one}`),
    ...requirementsOf('javascript', readText).map((one) => `npm:${one}`),
  ].slice(0, mostPackages)
}

function requirementsOf(language: 'python' | 'javascript', readText: (path: string) => string | undefined): string[] {
  try {
    const manifest = chooseManifest(language, readText)
    return readManifest(manifest, readText(manifest))
  } catch {
    // the panel of packages says what is wrong with it
    return []
  }
}
