import { join } from 'node:path'
import { installLine, type Finding } from './finding.ts'
import type { Machine } from './machine.ts'

// the sandbox shows the system's Python, not one of a home directory
const systemPython = '/usr/bin/python3'
/** Packages by the name of their module. */
const modules = { numpy: 'numpy', pandas: 'pandas', matplotlib: 'matplotlib', ipython: 'IPython' } as const

interface Answer {
  version: string
  /** Of the modules above; one that is missing has none. */
  system: Record<string, string>
  /** What was installed of the project's lock for this Python, if anything. */
  locked?: Record<string, string>
}

const ask = `
import glob, hashlib, importlib.metadata, json, platform, sys
answer = {"version": platform.python_version(), "system": {}}
for name in ${JSON.stringify(Object.keys(modules))}:
    try: answer["system"][name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError: pass
if len(sys.argv) > 2:
    try:
        with open(sys.argv[1], "rb") as file: lock = hashlib.sha256(file.read()).hexdigest()
    except OSError: lock = None
    for path in glob.glob(sys.argv[2] + "/base-*/stack.json"):
        with open(path) as file: made = json.load(file)
        if made["lock"] == lock and answer["version"].startswith(made["python"] + "."): answer["locked"] = made["packages"]
print(json.dumps(answer))
`

interface PythonOptions {
  project?: string | undefined
  /** The one that the operator chose. */
  chosen?: string | undefined
}

export async function checkPython(machine: Machine, { project, chosen }: PythonOptions = {}): Promise<Finding[]> {
  const python = chosen || systemPython
  const places = project ? [join(project, 'packages/server/python/base.lock'), kept(project)] : []
  const { code, output } = await machine.run([python, '-I', '-c', ask, ...places])
  if (code !== 0) {
    const fix = chosen ? 'set COHEREX_PYTHON to a Python that is there' : installLine(['python3'], machine.isRoot)
    return [{ name: 'python', state: 'missing', found: `no ${python}; Python code cannot run on the server`, fix }]
  }
  const answer = JSON.parse(output.split('\n').at(-1) ?? '') as Answer
  const found = chosen ? `${answer.version}, ${chosen}` : answer.version
  return [
    { name: 'python', state: 'ok', found },
    stackOf(answer, machine.isRoot),
    ...(project ? [await findUv(machine, project)] : []),
  ]
}

const kept = (project: string) => join(project, 'node_modules/.cache/python')

function stackOf({ system, locked }: Answer, isRoot: boolean): Finding {
  const name = 'data stack'
  const packages = locked ?? system
  const list = Object.keys(modules).flatMap((one) => (packages[one] ? [`${one} ${packages[one]}`] : []))
  if (locked) return { name, state: 'ok', found: `${list.join(', ')}, of the lock` }
  const absent = Object.entries(modules).filter(([one]) => !system[one])
  if (absent.length === 0) {
    const fix = 'npm start installs the current ones where an index of Python packages can be reached'
    return { name, state: 'ok', found: `${list.join(', ')}, of the system`, fix }
  }
  return {
    name,
    state: 'weak',
    found: `without ${absent.map(([, module]) => module).join(', ')}`,
    fix: `npm start where an index of Python packages can be reached, else ${installLine(
      absent.map(([one]) => `python3-${one}`),
      isRoot,
    )}`,
  }
}

/** What resolves and fetches packages of Python. */
async function findUv(machine: Machine, project: string): Promise<Finding> {
  const lock = await machine.read(join(project, 'packages/server/python/uv.lock'))
  const version = /^uv==(\S+)/.exec(lock ?? '')?.[1] ?? ''
  if (await machine.exists(join(kept(project), `uv-${version}/bin/uv`))) {
    return { name: 'uv', state: 'ok', found: version }
  }
  return {
    name: 'uv',
    state: 'weak',
    found: 'not installed; packages of Python cannot be added',
    fix: 'npm start, where an index of Python packages can be reached',
  }
}
