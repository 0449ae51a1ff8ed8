import { dirname, join, resolve } from 'node:path'
import { routes } from '@coherex/contract'
import type { Settings } from '../config.ts'
import { connectTo, localUrl } from '../connect.ts'
import type { Finding } from './finding.ts'
import type { Machine } from './machine.ts'

/** What a server on this machine stands on: its packages, data directory, disk and port. */
export async function checkServer(
  machine: Machine,
  settings: Settings,
  project: string | undefined,
): Promise<Finding[]> {
  const port = await checkPort(machine, settings)
  if (!project) return [await checkNode(machine, undefined), port]
  const data = resolve(project, settings.dataDirectory ?? '.coherex')
  return [
    await checkNode(machine, project),
    await checkDataDirectory(machine, data),
    await checkDisk(machine, data),
    port,
  ]
}

async function checkNode(machine: Machine, project: string | undefined): Promise<Finding> {
  const name = 'node'
  if (!project) {
    const state = Number(machine.nodeVersion.split('.')[0]) >= 20 ? 'ok' : 'weak'
    return { name, state, found: machine.nodeVersion, ...(state === 'ok' ? {} : { fix: 'install Node 20 or newer' }) }
  }
  const { code, output } = await machine.run([join(project, 'node_modules/.bin/node'), '--version'])
  if (code === 0) return { name, state: 'ok', found: `${output.replace('v', '')}, brought by npm` }
  return { name, state: 'missing', found: 'the packages are not installed', fix: `cd ${project} && npm ci` }
}

async function checkDataDirectory(machine: Machine, data: string): Promise<Finding> {
  const name = 'data directory'
  const place = await nearestExisting(machine, data)
  if (!(await machine.isWritable(place))) {
    return {
      name,
      state: 'missing',
      found: `${place} is not writable`,
      fix: `chown it to the user who starts Coherex, or set COHEREX_DATA_DIR`,
    }
  }
  if (place !== data) return { name, state: 'ok', found: `${data}, made at the first start` }
  const mode = (await machine.mode(data)) ?? 0
  if ((mode & 0o006) !== 0) {
    return { name, state: 'weak', found: `${data} is open to others (${mode.toString(8)})`, fix: `chmod o-rw ${data}` }
  }
  return { name, state: 'ok', found: data }
}

async function checkDisk(machine: Machine, data: string): Promise<Finding> {
  const name = 'disk space'
  const freeMb = await machine.freeMb(await nearestExisting(machine, data))
  if (freeMb === undefined) return { name, state: 'weak', found: 'unknown' }
  const found = freeMb >= 1024 ? `${(freeMb / 1024).toFixed(1)} GB free` : `${freeMb} MB free`
  if (freeMb >= 1024) return { name, state: 'ok', found }
  return {
    name,
    state: freeMb < 100 ? 'missing' : 'weak',
    found,
    fix: 'free some space, or set COHEREX_DATA_DIR to a larger disk',
  }
}

async function checkPort(machine: Machine, settings: Settings): Promise<Finding> {
  const name = `port ${settings.port}`
  if (await machine.isPortFree(settings.port)) return { name, state: 'ok', found: 'free' }
  const answer = await connectTo(localUrl(settings), undefined)
    .client(routes.system.health, {})
    .catch(() => undefined)
  if (answer?.version && answer.runtimes) return { name, state: 'ok', found: `Coherex ${answer.version} runs there` }
  return { name, state: 'missing', found: 'used by another program', fix: 'stop it, or set PORT to another number' }
}

async function nearestExisting(machine: Machine, path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    if (at === dirname(at) || (await machine.exists(at))) return at
  }
}
