const sharedPath = /^\/(s|embed)\/[\w-]{1,200}$/

/** Whether an address is the page of a public share, or the one for frames of other sites. */
export function sharedPageOf(path: string): 'page' | 'embed' | undefined {
  const [, kind] = sharedPath.exec(path) ?? []
  return kind === undefined ? undefined : kind === 'embed' ? 'embed' : 'page'
}
