import { open } from 'node:fs/promises'
import { CoherexError } from '@coherex/contract'
import { doorOf, type Egress, EgressError, operatorRules, teamRules } from '../../egress/index.ts'
import { ArchiveRefused } from './archive-guard.ts'
import { expectIntegrity } from './integrity.ts'

export interface Archive {
  url: string
  integrity: string
  maxBytes: number
}

/** A place that the operator configured, on whichever network it is, or that a team named. */
export interface ArchiveHost {
  origin: string
  /** A team named it: it is reached where teams may reach. */
  isTeams?: true
  /** What it wants to see, such as `authorization`. No other place sees it. */
  headers?: (url: URL) => [string, string][]
}

export interface FetchArchiveOptions {
  egress: Egress
  /** Any other is a stranger on the internet: it may have archives and is reached there alone. */
  hosts: readonly ArchiveHost[]
  signal: AbortSignal
  /** Told of each piece that came. */
  onPiece?: ((bytes: number) => void) | undefined
}

const limits = { connectMs: 10_000, headersMs: 60_000, totalMs: 1_800_000, idleMs: 60_000 }
const mostRedirects = 5

/** Streams an archive to a new file and checks it; its size. Throws ArchiveRefused for what is wrong with it. */
export async function fetchArchive(
  archive: Archive,
  file: string,
  { egress, hosts, signal, onPiece }: FetchArchiveOptions,
): Promise<number> {
  const { hash, check } = expectIntegrity(archive.integrity)
  const exchange = await follow(archive, { egress, hosts, signal })
  let size = 0
  try {
    const target = await open(file, 'wx', 0o600)
    try {
      for await (const piece of exchange.body as AsyncIterable<Buffer>) {
        size += piece.length
        if (size > archive.maxBytes) throw tooLarge(archive.maxBytes)
        hash.update(piece)
        await target.write(piece)
        onPiece?.(piece.length)
      }
    } finally {
      await target.close()
    }
  } catch (error) {
    exchange.finish(size, error)
    signal.throwIfAborted()
    throw explain(error, archive.url)
  }
  exchange.finish(size)
  check()
  return size
}

/** Each hop by the rules of where it leads: the operator's own places keep to themselves, and all others are public. */
async function follow(archive: Archive, { egress, hosts, signal }: FetchArchiveOptions) {
  let address = archive.url
  for (let hops = 0; hops <= mostRedirects; hops++) {
    const url = URL.parse(address)
    if (!url || !/^https?:$/.test(url.protocol)) throw new ArchiveRefused('invalid_input', 'its address is not valid')
    const host = hosts.find(({ origin }) => origin === url.origin)
    const rules =
      host && !host.isTeams
        ? operatorRules({ allow: [`${url.origin}/`], limits })
        : teamRules({
            allow: 'any',
            limits: { ...limits, bodyBytes: archive.maxBytes },
            // names of one machine, such as a mirror's
            beside: hosts.filter(({ isTeams }) => !isTeams).map(({ origin }) => doorOf(origin)),
          })
    const outbound = egress.outbound({ rules })
    const request = {
      url: url.href,
      redirect: 'manual' as const,
      encodings: 'identity',
      headers: host?.headers?.(url) ?? [],
    }
    const exchange = await outbound.exchange(request, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      throw explain(error, address)
    })
    const location = exchange.headers.find(([name]) => name === 'location')?.[1]
    if (exchange.status >= 300 && exchange.status < 400 && location !== undefined) {
      exchange.finish(0)
      address = URL.parse(location, url)?.href ?? ''
      continue
    }
    if (exchange.status === 200) return exchange
    exchange.finish(0)
    throw refusedStatus(exchange.status, url)
  }
  throw new ArchiveRefused('invalid_input', `it is redirected more than ${mostRedirects} times`)
}

function refusedStatus(status: number, url: URL): CoherexError {
  if (status === 404 || status === 410) return new ArchiveRefused('not_found', `${url.host} does not have it any more`)
  if (status === 401 || status === 403)
    return new ArchiveRefused('forbidden', `${url.host} does not give it without other credentials`)
  return new ArchiveRefused('unavailable', `${url.host} answers with status ${status}`)
}

function explain(error: unknown, address: string): unknown {
  if (!(error instanceof EgressError)) return error
  const host = URL.parse(address)?.host ?? ''
  if (error.isRefusal)
    return new ArchiveRefused('invalid_input', `its address leads to ${host}, which is not on the public internet`)
  return new ArchiveRefused('unavailable', `${host} cannot be reached or stopped answering`, { cause: error })
}

function tooLarge(maxBytes: number): ArchiveRefused {
  return new ArchiveRefused('too_large', `its archive is larger than ${Math.floor(maxBytes / 1_000_000)} MB`)
}
