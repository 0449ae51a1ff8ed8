const languages: Record<string, string> = {
  cjs: 'javascript',
  h: 'c',
  htm: 'html',
  mts: 'typescript',
  svg: 'html',
}

/** What highlights a file: by its ending, which most languages are called by too. */
export function languageOfPath(path: string): string {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  return languages[ending] ?? ending
}
