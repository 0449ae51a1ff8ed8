import type { IncomingMessage } from 'node:http'
import { CoherexError } from '@coherex/contract'

/** Refuses what a page of ours would never ask for: a guest's file must not become a script or a worker of the studio. */
export function checkFetchMetadata({ headers }: IncomingMessage): void {
  const isNavigation = headers['sec-fetch-mode'] === 'navigate'
  if (headers['sec-fetch-site'] === 'same-origin' && !isNavigation) {
    throw new CoherexError('forbidden', 'Pages of Coherex do not load what sandboxes serve')
  }
  if (headers['service-worker'] !== undefined || headers['sec-fetch-dest'] === 'serviceworker') {
    throw new CoherexError('forbidden', 'Pages of sandboxes have no service workers')
  }
}

export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin === 'null' && headers['access-control-request-method'] !== undefined
}
