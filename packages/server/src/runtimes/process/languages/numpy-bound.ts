import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const packages = '/usr/lib/python3/dist-packages/'

/**
 * What the system has in its folder of Python packages that was compiled for its own numpy, such as scipy: with another numpy it does not
 * load, and may warn on every import of pandas. Debian has such packages depend on the interface of its numpy.
 */
export function boundToSystemNumpy(dpkg = '/var/lib/dpkg'): string[] {
  const status = join(dpkg, 'status')
  if (!existsSync(status)) return []
  const bound = readFileSync(status, 'utf8')
    .split('\n\n')
    .filter((entry) => /^Depends:.*\bpython3-numpy-abi/m.test(entry) && /^Status: install ok installed$/m.test(entry))
    .map((entry) => /^Package: (\S+)$/m.exec(entry)?.[1])
  const lists = readdirSync(join(dpkg, 'info')).filter((name) =>
    bound.includes(/^([^:]+)(?::\w+)?\.list$/.exec(name)?.[1]),
  )
  const files = lists.flatMap((name) => readFileSync(join(dpkg, 'info', name), 'utf8').split('\n'))
  const entries = files.filter((path) => path.startsWith(packages)).map((path) => path.slice(packages.length))
  // a module that is one file is named without its ending, as it is imported
  return [...new Set(entries.filter((path) => !path.includes('/')).map((name) => name.replace(/\.py$/, '')))]
}
