import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { integrityOf, makeTarball, type TarballEntry } from './tarball.ts'

export interface Release {
  name: string
  version: string
  /** Beside a package.json that is made of this; index.js tells its name and version where there is none. */
  files?: Record<string, string | Buffer>
  /** Fields of its package.json. */
  manifest?: Record<string, unknown>
  releasedAt?: string
  /** Entries of the tarball that are taken as they are. */
  extra?: TarballEntry[]
  /** Of what is published, where it is to be wrong. */
  dist?: { tarball?: string; integrity?: string }
}

/** A registry as npm knows them, on loopback, with what a test publishes. */
export interface NpmRegistry {
  url: string
  publish(...releases: Release[]): Promise<void>
  /** Paths that were asked for, with the credentials that came. */
  readonly requests: { path: string; authorization: string | undefined; accept: string | undefined }[]
  /** Answers instead of the registry where it returns true. */
  onRequest: (request: IncomingMessage, response: ServerResponse) => boolean
  /** As a mirror that does not tell when things were released. */
  hidesTimes: boolean
  close(): Promise<void>
}

const longAgo = '2024-01-01T00:00:00.000Z'

interface Published {
  name: string
  version: string
  manifest: Record<string, unknown>
  tarball: Buffer
  releasedAt: string
}

export async function startNpmRegistry(): Promise<NpmRegistry> {
  const published: Published[] = []
  const registry: NpmRegistry = {
    url: '',
    requests: [],
    hidesTimes: false,
    onRequest: () => false,
    async publish(...releases) {
      for (const { name, version, files, manifest = {}, extra, releasedAt = longAgo, dist } of releases) {
        const description = { name, version, main: 'index.js', ...manifest }
        const tarball = await makeTarball(
          {
            'package.json': JSON.stringify(description),
            'index.js': `module.exports = ${JSON.stringify(`${name}@${version}`)}`,
            ...files,
          },
          extra,
        )
        const file = `${registry.url}${name}/-/${name.split('/').at(-1)}-${version}.tgz`
        const unpackedSize = Object.values(files ?? {}).reduce((sum, content) => sum + content.length, 100)
        const scripts = description as { scripts?: Record<string, string> }
        published.push({
          name,
          version,
          tarball,
          releasedAt,
          manifest: {
            ...description,
            ...(scripts.scripts?.['install'] && { hasInstallScript: true }),
            dist: { tarball: file, integrity: integrityOf(tarball), unpackedSize, ...dist },
          },
        })
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    const { authorization, accept } = request.headers
    registry.requests.push({ path, authorization, accept })
    if (registry.onRequest(request, response)) return
    const [name = '', file] = path.slice(1).split('/-/')
    const releases = published.filter((release) => release.name === name)
    if (file !== undefined) {
      const found = releases.find(({ version }) => file === `${name.split('/').at(-1)}-${version}.tgz`)
      response.statusCode = found ? 200 : 404
      return void response.end(found?.tarball)
    }
    if (releases.length === 0) return void response.writeHead(404).end('{"error":"Not found"}')
    const isShort = accept?.includes('install-v1') ?? false
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(documentOf(name, releases, { isShort, hidesTimes: registry.hidesTimes })))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  registry.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return registry
}

function documentOf(
  name: string,
  releases: readonly Published[],
  { isShort, hidesTimes }: { isShort: boolean; hidesTimes: boolean },
): unknown {
  const latest = releases.filter(({ version }) => !version.includes('-')).at(-1) ?? releases.at(-1)
  const modified = releases
    .map(({ releasedAt }) => releasedAt)
    .toSorted()
    .at(-1)
  return {
    name,
    'dist-tags': { latest: latest?.version },
    versions: Object.fromEntries(releases.map(({ version, manifest }) => [version, manifest])),
    ...(isShort && !hidesTimes && { modified }),
    ...(!isShort && { description: `The package ${name}` }),
    ...(!isShort &&
      !hidesTimes && { time: Object.fromEntries(releases.map(({ version, releasedAt }) => [version, releasedAt])) }),
  }
}
