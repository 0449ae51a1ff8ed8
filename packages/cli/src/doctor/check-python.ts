import { installLine, type Finding } from './finding.ts'
import type { Machine } from './machine.ts'

// the sandbox shows the system's Python, not one of a home directory
const python = '/usr/bin/python3'
const modules = ['numpy', 'pandas', 'matplotlib', 'IPython']

const askVersions = `
import importlib.util, platform
print(platform.python_version())
for name in ${JSON.stringify(modules)}:
    if importlib.util.find_spec(name) is None: print(name)
`

export async function checkPython(machine: Machine): Promise<Finding[]> {
  const { code, output } = await machine.run([python, '-I', '-c', askVersions])
  const install = (names: string[]) => installLine(names, machine.isRoot)
  if (code !== 0) {
    const fix = install(['python3', ...modules.map(packageOf)])
    return [{ name: 'python', state: 'missing', found: `no ${python}; Python code cannot run on the server`, fix }]
  }
  const [version = '', ...absent] = output.split('\n')
  const stack: Finding =
    absent.length === 0
      ? { name: 'data stack', state: 'ok', found: modules.join(', ') }
      : {
          name: 'data stack',
          state: 'weak',
          found: `without ${absent.join(', ')}`,
          fix: install(absent.map(packageOf)),
        }
  return [{ name: 'python', state: 'ok', found: version }, stack]
}

const packageOf = (module: string): string => `python3-${module.toLowerCase()}`
