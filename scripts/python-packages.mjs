// Plain JavaScript for Node 20 with nothing installed, as the other steps of a start.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { arch } from 'node:os'
import { basename, join } from 'node:path'
import { project } from './project.mjs'
import { lastWords, run, say, step } from './step.mjs'
import { installSystemPackages, pythonStackPackages } from './system-packages.mjs'

const locks = join(project, 'packages/server/python')
const kept = join(project, 'node_modules/.cache/python')
const systemPython = '/usr/bin/python3'
/** Where sandboxes are shown the packages; bytecode names files by it. */
const inside = '/opt/base'
const answerMs = 8_000
const fetchMs = 10 * 60_000
const staleMs = 3600 * 1000

/**
 * Installs the Python packages of the lock beside the code, as uv fetches them by their hashes. Where no index can be
 * reached Python has those of the system instead, and one line says why. Never stops the caller.
 */
export async function installPythonPackages() {
  const began = performance.now()
  const wanted = wantedStack()
  if (!wanted) return
  if (existsSync(join(wanted.folder, 'stack.json')))
    return say('ok', 'Python packages are those of the lock', performance.now() - began)
  try {
    // sandboxes read them as other users, whatever the umask here is
    process.umask(0o022)
    mkdirSync(kept, { recursive: true })
    removeLeftOvers()
    const index = await findIndex()
    const uv = await installUv(index)
    await installStack(wanted, uv, index)
    removeOlder(wanted.folder)
  } catch (error) {
    if (!(error instanceof Unreached)) throw error
    say('warn', `Python has the packages of the system, not those of the lock: ${error.message}`)
    await installSystemPackages(pythonStackPackages)
  }
}

/** Why there are no packages of the lock; what the system has does instead. */
class Unreached extends Error {}

/**
 * @typedef {{ python: string, version: string, lock: string, folder: string }} Wanted
 * @returns {Wanted | undefined} nothing where there is no Python to install for
 */
function wantedStack() {
  const python = process.env['COHEREX_PYTHON'] || systemPython
  const file = join(locks, 'base.lock')
  if (!existsSync(python) || !existsSync(file)) return undefined
  // of whichever Python that is, so that a start starts none to ask
  const version = /^python(3\.\d+)$/.exec(basename(realpathSync(python)))?.[1]
  if (!version) {
    say('warn', `Cannot tell the version of ${python}: COHEREX_PYTHON must lead to a program named like python3.12`)
    return undefined
  }
  const lock = hash(readFileSync(file))
  const name = `base-${hash(`${lock} ${version} ${arch()}`).slice(0, 12)}`
  return { python, version, lock, folder: join(kept, name) }
}

/**
 * How pip is configured here is how uv is used.
 * @returns {Promise<{ pip: NodeJS.ProcessEnv, uv: NodeJS.ProcessEnv }>}
 */
async function findIndex() {
  const chosen = process.env['COHEREX_PYPI_INDEX'] || undefined
  if (chosen === 'off') throw new Unreached('COHEREX_PYPI_INDEX is off')
  const offline = ['UV_OFFLINE', 'PIP_NO_INDEX'].find((name) => isSet(process.env[name]))
  if (!chosen && offline) throw new Unreached(`${offline} is set`)
  const { code, output } = await run([...pip(), 'config', 'list'])
  if (code !== 0) throw new Unreached(`pip is missing, which fetches uv (${lastWords(output)})`)
  if (!chosen && isSet(settingOf(output, 'no-index'))) throw new Unreached('pip is configured with no-index')

  const url = chosen ?? settingOf(output, 'index-url')
  const certificates = process.env['SSL_CERT_FILE'] ?? settingOf(output, 'cert')
  return {
    // what the operator names for us counts, whatever else is set
    pip: chosen ? { PIP_INDEX_URL: chosen, PIP_NO_INDEX: '0' } : {},
    uv: {
      ...(url && (chosen || !process.env['UV_DEFAULT_INDEX']) ? { UV_DEFAULT_INDEX: url } : {}),
      ...(certificates ? { SSL_CERT_FILE: certificates } : {}),
      ...(chosen ? { UV_OFFLINE: '0' } : {}),
      UV_SYSTEM_CERTS: '1',
    },
  }
}

/** A line of `pip config list`; the environment comes before files. @param {string} listing @param {string} name */
function settingOf(listing, name) {
  const found = [...listing.matchAll(new RegExp(`^(\\S+)\\.${name}='(.*)'$`, 'gm'))]
  return (found.find(([, from]) => from === ':env:') ?? found.at(-1))?.[2]
}

/** @param {string | undefined} text */
const isSet = (text) => text !== undefined && !['', '0', 'false', 'no', 'off'].includes(text.toLowerCase())

// the system's own: another Python may have been chosen that has no pip
const pip = () => [existsSync(systemPython) ? systemPython : (process.env['COHEREX_PYTHON'] ?? ''), '-m', 'pip']

/** @param {Awaited<ReturnType<typeof findIndex>>} index @returns {Promise<string>} its path */
async function installUv(index) {
  const lock = join(locks, 'uv.lock')
  const version = /^uv==(\S+)/m.exec(readFileSync(lock, 'utf8'))?.[1]
  const folder = join(kept, `uv-${version}`)
  const program = join(folder, 'bin/uv')
  if (existsSync(program)) return program
  await step(`Fetching uv ${version}, which installs Python packages`, async () => {
    const making = makeBeside(folder)
    const options = ['--target', making, '--require-hashes', '--no-deps', '--only-binary', ':all:', '-r', lock]
    const network = ['--timeout', '5', '--retries', '0', '--progress-bar', 'off', '--no-input']
    const env = { ...process.env, ...index.pip, PIP_USER: '0', PIP_REQUIRE_VIRTUALENV: '0', PIP_NO_CACHE_DIR: '1' }
    // an index that answers is waited for, one that does not is given up soon
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(), answerMs)
    const { code, output } = await run([...pip(), 'install', ...options, ...network], {
      env,
      signal: AbortSignal.any([patience.signal, AbortSignal.timeout(fetchMs)]),
      onOutput: (text) => /Downloading|Processing|Using cached/.test(text) && clearTimeout(timer),
    })
    clearTimeout(timer)
    if (code !== 0) {
      rmSync(making, { recursive: true, force: true })
      const silent = patience.signal.aborted || /\(from versions: none\)/.test(output)
      throw new Unreached(
        silent ? 'no index of Python packages can be reached' : `pip cannot fetch uv: ${firstError(output)}`,
      )
    }
    putInPlace(making, folder)
    return `Fetched uv ${version}`
  })
  return program
}

/** @param {Wanted} wanted @param {string} uv @param {Awaited<ReturnType<typeof findIndex>>} index */
async function installStack({ python, version, lock, folder }, uv, index) {
  const file = join(locks, 'base.lock')
  const making = makeBeside(folder)
  const site = join(making, 'site')
  const cache = join(making, 'cache')
  try {
    await step(`Fetching the Python packages of the lock, about 100 MB`, async () => {
      const how = ['--python', python, '--target', site, '--require-hashes', '--no-deps', '--only-binary', ':all:']
      const { code, output } = await run([uv, 'pip', 'install', '--quiet', ...how, '-r', file], {
        env: {
          ...{ UV_HTTP_TIMEOUT: '15', UV_PYTHON_DOWNLOADS: 'never', UV_LINK_MODE: 'hardlink', ...process.env },
          ...index.uv,
          UV_CACHE_DIR: cache,
        },
        signal: AbortSignal.timeout(fetchMs),
      })
      if (code !== 0) throw new Unreached(`uv cannot fetch them: ${firstError(output)}`)
      rmSync(cache, { recursive: true, force: true })
      useAnyPython(join(site, 'bin'))
      return `Fetched ${Object.keys(packagesIn(site)).length} Python packages`
    })
    await step('Compiling the Python packages', async () => {
      const named = ['-s', site, '-p', inside, '-x', '/tests?/']
      const how = ['-q', '-j', '0', '--invalidation-mode', 'unchecked-hash', ...named]
      // a file for another version of Python does not compile, and is not imported either
      await run([python, '-I', '-m', 'compileall', ...how, site])
      return 'Compiled the Python packages'
    })
    const stack = { lock, python: version, machine: arch(), packages: packagesIn(site) }
    writeFileSync(join(making, 'stack.json'), `${JSON.stringify(stack, null, 2)}\n`)
    putInPlace(making, folder)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

/** Commands run on whichever Python a sandbox has, and not on the one that installed them. @param {string} folder */
function useAnyPython(folder) {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^#!.*python.*/, '#!/usr/bin/env python3'))
  }
}

/** Versions by name, as the packages say themselves. @param {string} site @returns {Record<string, string>} */
function packagesIn(site) {
  const found = readdirSync(site).map((name) => /^(.+)-([^-]+)\.dist-info$/.exec(name))
  return Object.fromEntries(
    found.flatMap((one) => (one ? [[one[1]?.toLowerCase().replace(/[_.]+/g, '-'), one[2]]] : [])),
  )
}

/** @param {string} folder */
function makeBeside(folder) {
  const making = `${folder}.making-${process.pid}`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making)
  return making
}

/** @param {string} making @param {string} folder */
function putInPlace(making, folder) {
  try {
    renameSync(making, folder)
  } catch (error) {
    // another start was quicker
    if (!existsSync(folder)) throw error
    rmSync(making, { recursive: true, force: true })
  }
}

/** What a start that was ended has left. */
function removeLeftOvers() {
  for (const name of readdirSync(kept).filter((one) => one.includes('.making-'))) {
    const path = join(kept, name)
    if (Date.now() - statSync(path).mtimeMs > staleMs) rmSync(path, { recursive: true, force: true })
  }
}

/** The stack before stays: a server that was started with it may still run. @param {string} current */
function removeOlder(current) {
  const stacks = readdirSync(kept)
    .filter((name) => /^base-[0-9a-f]+$/.test(name))
    .map((name) => join(kept, name))
    .filter((path) => path !== current)
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)
  for (const path of stacks.slice(1)) rmSync(path, { recursive: true, force: true })
}

/** @param {string} output */
function firstError(output) {
  const line = output.split('\n').find((one) => /^\s*(error|ERROR|× )/.test(one)) ?? lastWords(output)
  return line
    .trim()
    .replace(/^(error|ERROR): ?|^× ?/, '')
    .slice(0, 300)
}

/** @param {string | Buffer} text */
const hash = (text) => createHash('sha256').update(text).digest('hex')
