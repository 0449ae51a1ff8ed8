const parsers: Record<string, string> = {
  ...{ js: 'babel', mjs: 'babel', cjs: 'babel', jsx: 'babel' },
  ...{ ts: 'typescript', mts: 'typescript', cts: 'typescript', tsx: 'typescript' },
  ...{ json: 'json', css: 'css', scss: 'scss', html: 'html', htm: 'html' },
  ...{ md: 'markdown', markdown: 'markdown', yaml: 'yaml', yml: 'yaml' },
}

export type Formatter = { name: 'prettier'; parser: string } | { name: 'ruff' }

/** What formats a file of that name; undefined where nothing does. */
export function formatterOf(path: string): Formatter | undefined {
  const [, extension = ''] = /\.(\w+)$/.exec(path.toLowerCase()) ?? []
  if (/^pyi?$/.test(extension)) return { name: 'ruff' }
  const parser = Object.hasOwn(parsers, extension) ? parsers[extension] : undefined
  return parser === undefined ? undefined : { name: 'prettier', parser }
}
