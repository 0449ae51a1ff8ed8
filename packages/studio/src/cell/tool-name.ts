/** What is wrong with the name of a tool, in words. */
export function whyNotToolName(name: string): string | undefined {
  return isToolName(name) ? undefined : 'Lower-case letters, digits and hyphens: invoice-total'
}

const isToolName = (name: string) => /^[a-z](?:[a-z0-9]|-(?=[a-z0-9])){0,62}$/.test(name)

/** A name for a tool made of a path: `lib/load_data.py` is `load-data`. */
export function toToolName(path: string): string {
  const last = path.split('/').at(-1) ?? ''
  const name = last
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 63)
  return isToolName(name) ? name : ''
}
