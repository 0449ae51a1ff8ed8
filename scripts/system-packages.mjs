import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lastWords, Problem, run, say, step } from './step.mjs'

/**
 * A package of the system: any of `files` shows that it is there, which is quicker than asking dpkg.
 * @typedef {{ name: string, files: string[], for: string }} SystemPackage
 */

// beside the compiler, whatever version the system has
function compilerRuntimes() {
  const roots = inFolder('/usr/lib', /^llvm-/).map((path) => join(path, 'lib/clang'))
  const found = roots.flatMap((root) => inFolder(root, /^\d/)).map((path) => join(path, 'lib/wasi'))
  return found.length > 0 ? found : ['/usr/lib/llvm/lib/wasi']
}

/** @param {string} folder @param {RegExp} pattern */
function inFolder(folder, pattern) {
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.filter((name) => pattern.test(name)).map((name) => join(folder, name))
}

/** @param {string} module */
const pythonModule = (module) => [`/usr/lib/python3/dist-packages/${module}`]

/** @type {SystemPackage[]} */
export const sandboxPackages = [
  { name: 'bubblewrap', files: ['/usr/bin/bwrap'], for: 'running code on the server' },
  { name: 'python3', files: ['/usr/bin/python3'], for: 'Python' },
  { name: 'python3-pip', files: pythonModule('pip'), for: 'packages that programs install' },
  { name: 'curl', files: ['/usr/bin/curl'], for: 'HTTP in a shell' },
  { name: 'git', files: ['/usr/bin/git'], for: 'repositories in a sandbox' },
  { name: 'ca-certificates', files: ['/etc/ssl/certs/ca-certificates.crt'], for: 'TLS in a sandbox' },
]

/**
 * What Python has where the packages of the lock cannot be fetched.
 * @type {SystemPackage[]}
 */
export const pythonStackPackages = [
  { name: 'python3-numpy', files: pythonModule('numpy'), for: 'numpy' },
  { name: 'python3-pandas', files: pythonModule('pandas'), for: 'pandas' },
  { name: 'python3-matplotlib', files: pythonModule('matplotlib'), for: 'plots in Python' },
  { name: 'python3-ipython', files: pythonModule('IPython'), for: 'Python sessions' },
  { name: 'python3-requests', files: pythonModule('requests'), for: 'HTTP in Python' },
  { name: 'python3-httpx', files: pythonModule('httpx'), for: 'HTTP in Python' },
  { name: 'python3-pydantic', files: pythonModule('pydantic'), for: 'schemas in Python' },
  { name: 'python3-openpyxl', files: pythonModule('openpyxl'), for: 'spreadsheets in Python' },
  { name: 'python3-pil', files: pythonModule('PIL'), for: 'pictures in Python' },
  { name: 'python3-bs4', files: pythonModule('bs4'), for: 'HTML in Python' },
  { name: 'python3-lxml', files: pythonModule('lxml'), for: 'XML in Python' },
]

const wasi = 'C as WebAssembly'

/**
 * Further languages, each installed only when it is asked for; see docs/languages.md.
 * @type {Record<string, SystemPackage[]>}
 */
export const languagePackages = {
  r: [{ name: 'r-base-core', files: ['/usr/bin/Rscript'], for: 'R' }],
  ruby: [{ name: 'ruby', files: ['/usr/bin/ruby'], for: 'Ruby' }],
  go: [{ name: 'golang-go', files: ['/usr/bin/go'], for: 'Go' }],
  c: [
    { name: 'gcc', files: ['/usr/bin/gcc'], for: 'C' },
    { name: 'libc6-dev', files: ['/usr/include/stdio.h'], for: 'C' },
  ],
  cpp: [{ name: 'g++', files: ['/usr/bin/g++'], for: 'C++' }],
  rust: [{ name: 'rustc', files: ['/usr/bin/rustc'], for: 'Rust' }],
  wasm: [
    { name: 'clang', files: ['/usr/bin/clang'], for: wasi },
    { name: 'lld', files: ['/usr/bin/wasm-ld'], for: wasi },
    { name: 'wasi-libc', files: ['/usr/lib/wasm32-wasi'], for: wasi },
    { name: 'libclang-rt-dev-wasm32', files: compilerRuntimes(), for: wasi },
  ],
}

/** @type {SystemPackage[]} */
export const testPackages = [
  ...Object.values(languagePackages).flat(),
  {
    name: 'chromium-headless-shell',
    files: ['/usr/lib/chromium/chromium-headless-shell'],
    for: 'tests in a browser',
  },
  { name: 'fonts-liberation', files: ['/usr/share/fonts/truetype/liberation'], for: 'screenshots' },
  { name: 'postgresql', files: ['/usr/lib/postgresql'], for: 'tests on an external database' },
  { name: 'python3-nbformat', files: pythonModule('nbformat'), for: 'the schema of notebooks in tests' },
  { name: 'faketime', files: ['/usr/bin/faketime'], for: 'tests with another clock' },
]

/**
 * The packages of `--with r,ruby` on a command line.
 * @param {string[]} args
 * @returns {SystemPackage[]}
 */
export function packagesAsked(args) {
  const asked = args.flatMap((arg, at) =>
    arg.startsWith('--with=') ? [arg.slice(7)] : args[at - 1] === '--with' ? [arg] : [],
  )
  if (args.at(-1) === '--with')
    throw new Problem(`--with needs a language: ${Object.keys(languagePackages).join(', ')}`)
  return asked
    .flatMap((names) => names.split(','))
    .flatMap((name) => {
      const packages = languagePackages[name.trim().toLowerCase()]
      if (packages) return packages
      const known = Object.keys(languagePackages).join(', ')
      throw new Problem(`Cannot install "${name}": --with takes ${known}; docs/languages.md has the others`)
    })
}

/** @param {SystemPackage[]} packages */
export const missingOf = (packages) => packages.filter(({ files }) => !files.some((file) => existsSync(file)))

/**
 * Installs what is missing where that needs no question; names it where it does. Never stops the caller.
 * @param {SystemPackage[]} packages
 */
export async function installSystemPackages(packages) {
  const began = performance.now()
  const missing = missingOf(packages)
  if (missing.length === 0) return say('ok', 'System packages are there', performance.now() - began)

  const names = missing.map(({ name }) => name)
  const root = await rootPrefix()
  if (!isDebianLike() || !root) return tellHow(missing)

  const failed = await install(names, root)
  const still = missingOf(packages)
  if (failed && still.length > 0) say('warn', `apt-get: ${failed}`)
  if (still.length > 0) tellHow(still)
}

/** @param {string[]} names @param {string[]} root @returns {Promise<string | undefined>} why it failed */
async function install(names, root) {
  /** @type {string | undefined} */
  let failed
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = [...root, 'apt-get', '-y', '-q', '-o', 'DPkg::Lock::Timeout=120']
  const arguments_ = ['install', '--no-install-recommends']

  await step(`Installing ${names.join(' ')} with apt-get`, async () => {
    if (listsAreStale()) await run([...apt, 'update'], { env }) // offline this fails, and what is cached may do
    const together = await run([...apt, ...arguments_, '--download-only', ...names], { env })
    // one unknown name fails them all: then each is tried alone
    for (const group of together.code === 0 ? [names] : names.map((name) => [name])) {
      const fetched = await run([...apt, ...arguments_, '--download-only', ...group], { env })
      // shielded: a package manager that is interrupted needs repair by hand
      const installed =
        fetched.code === 0
          ? await withoutNewCluster(group, () => run([...apt, ...arguments_, ...group], { env, shielded: true }))
          : fetched
      if (installed.code !== 0) failed = lastWords(installed.output)
    }
    return failed ? 'Asked apt-get for system packages' : `Installed ${names.join(' ')} with apt-get`
  })
  return failed
}

/**
 * Debian makes and starts a database cluster when a server package arrives; the tests only want its programs.
 * @template T
 * @param {string[]} names
 * @param {() => Promise<T>} work
 */
async function withoutNewCluster(names, work) {
  const folder = '/etc/postgresql-common/createcluster.d'
  const setting = join(folder, 'coherex.conf')
  const mayWrite = names.includes('postgresql') && process.getuid?.() === 0
  if (mayWrite) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(setting, 'create_main_cluster = false\n')
  }
  try {
    return await work()
  } finally {
    if (mayWrite) rmSync(setting, { force: true })
  }
}

/** @param {SystemPackage[]} missing */
function tellHow(missing) {
  const uses = missing.map((one) => `${one.name} (${one.for})`).join(', ')
  say('warn', `Missing on this machine: ${uses}. The rest works.`)
  if (isDebianLike()) {
    const line = `apt-get install -y --no-install-recommends ${missing.map(({ name }) => name).join(' ')}`
    say('warn', `To get it: ${process.getuid?.() === 0 ? '' : 'sudo '}${line}`)
  } else {
    say('warn', `To get it: install the packages of these names for your system; sandboxes need Linux`)
  }
}

/** What makes a command run as root without a question; undefined where nothing does. */
async function rootPrefix() {
  if (process.getuid?.() === 0) return []
  const { code } = await run(['sudo', '-n', 'true'])
  return code === 0 ? ['sudo', '-n', '--preserve-env=DEBIAN_FRONTEND'] : undefined
}

function isDebianLike() {
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/etc/os-release')) return false
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'))
}

function listsAreStale() {
  const folder = '/var/lib/apt/lists'
  const times = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.includes('Packages'))
        .map((name) => statSync(join(folder, name)).mtimeMs)
    : []
  return times.length === 0 || Date.now() - Math.max(...times) > 24 * 3600 * 1000
}
