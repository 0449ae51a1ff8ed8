import type { GitRemote } from '@coherex/contract'
import type { GitPlace } from './git-place-fields.tsx'

/** What was used last, so that nobody types it twice. */
export function lastPlace(remotes: readonly GitRemote[] | undefined): Partial<GitPlace> {
  const [last] = remotes ?? []
  return last ? { url: last.url, branch: last.branch, secret: last.secret ?? '' } : {}
}
