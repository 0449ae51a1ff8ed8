import { mkdirSync, writeFileSync } from 'node:fs'
import Arborist from '@npmcli/arborist'
import type { NpmTask } from '../messages.ts'
import { Documents } from './documents.ts'
import { Failure } from './failure.ts'
import type { Host } from './host.ts'
import { integrityOf, manifestOf } from './published.ts'
import { readLock } from './read-lock.ts'
import { serveRegistry } from './serve-registry.ts'

type ResolveTask = Extract<NpmTask, { kind: 'resolve' }>

interface Found {
  name: string
  version: string
  integrity: string
  size: number | null
  url: string
  places: string[]
  manifest: Record<string, unknown>
}

const project = '/home/guest/project'

/** The tree that npm would install, without a file of it being fetched and without a script being run. */
export async function resolve(host: Host, task: ResolveTask): Promise<Found[]> {
  const documents = new Documents(host, task)
  const registry = await serveRegistry(documents)
  try {
    const { dependencies } = task
    mkdirSync(project, { recursive: true })
    writeFileSync(`${project}/package.json`, JSON.stringify({ name: 'project', version: '1.0.0', dependencies }))
    const lock = task.lockFile === undefined ? undefined : await readLock(task.lockFile, documents)
    if (lock) {
      const packages = { '': { name: 'project', version: '1.0.0', dependencies }, ...lock.packages }
      writeFileSync(`${project}/package-lock.json`, JSON.stringify({ ...lock, packages }))
    }
    const arborist = new Arborist({
      path: project,
      registry: registry.url,
      cache: '/tmp/npm',
      ignoreScripts: true,
      audit: false,
      fund: false,
      // a package of the registry may name no other place
      allowGit: 'none',
      allowRemote: 'none',
      allowFile: 'none',
      allowDirectory: 'none',
      fetchRetries: 0,
      ...(task.before !== undefined && { before: new Date(task.before) }),
    })
    const { inventory } = await arborist.buildIdealTree()
    return await collect([...inventory.values()], documents)
  } catch (error) {
    throw registry.failure() ?? (error instanceof Failure ? error : explain(error, documents))
  } finally {
    registry.close()
  }
}

type Node = {
  location: string
  packageName: string
  version: string
  inert: boolean
  isLink: boolean
  inBundle: boolean
}

async function collect(nodes: readonly Node[], documents: Documents): Promise<Found[]> {
  const found = new Map<string, Found>()
  for (const node of nodes) {
    // those in a bundle come with the package that has them
    if (node.location === '' || node.inert || node.isLink || node.inBundle) continue
    const { packageName: name, version } = node
    const place = node.location.slice('node_modules/'.length)
    const known = found.get(`${name}@${version}`)
    if (known) {
      known.places.push(place)
      continue
    }
    const published = (await documents.find(name))?.versions[version]
    if (!published) throw new Failure('missing', `The registry does not have "${name}@${version}"`)
    const integrity = integrityOf(published)
    if (integrity === '')
      throw new Failure('refused', `The registry tells no integrity of "${name}@${version}", so it cannot be locked`)
    const { tarball: url, unpackedSize } = published.dist
    const size = Number.isSafeInteger(unpackedSize) ? (unpackedSize ?? null) : null
    const manifest = manifestOf(published)
    found.set(`${name}@${version}`, { name, version, integrity, size, url, places: [place], manifest })
  }
  return [...found.values()]
}

interface NpmError extends Error {
  code?: string
  wanted?: string
  type?: string
  current?: { name?: string; version?: string; whileInstalling?: { name: string; version: string } }
  edge?: { name?: string; spec?: string; from?: { name?: string; version?: string } }
  spec?: { name?: string; raw?: string; rawSpec?: string }
  name: string
  uri?: string
}

function explain(error: unknown, documents: Documents): Failure {
  const { code = '', message, ...known } = error as NpmError
  if (code === 'E404') {
    const name = decodeURIComponent(URL.parse(known.uri ?? '')?.pathname.slice(1) ?? '')
    return new Failure('missing', `The registry has no package ${name ? `"${name}"` : 'of that name'}`)
  }
  if (code === 'ETARGET' || code === 'ENOVERSIONS') {
    const asked = /for ([^\s]+?)( with a date before .*)?\.?$/.exec(message)?.[1] ?? message
    const name = asked.slice(0, asked.indexOf('@', 1) < 0 ? undefined : asked.indexOf('@', 1))
    const isYoung = documents.withheld.has(name)
    return new Failure(
      'no-version',
      isYoung
        ? `No release that fits "${asked}" is old enough: newer ones may be used when they have the minimum age`
        : `The registry has no version that fits "${asked}"`,
    )
  }
  if (code === 'ERESOLVE') {
    const { edge, current } = known
    const asker = edge?.from ? `${edge.from.name}@${edge.from.version} needs` : 'it needs'
    const beside = current?.name ? `, and ${current.name}@${current.version} is asked for beside it` : ''
    return new Failure('conflict', `The packages do not fit together: ${asker} ${edge?.name}@${edge?.spec}${beside}`)
  }
  if (/^E(ALLOW|UNSUPPORTEDPROTOCOL|INVALID)/.test(code))
    return new Failure('refused', `A package asks for something that is not in the registry: ${message}`)
  return new Failure('other', `npm cannot resolve them: ${message}`)
}
