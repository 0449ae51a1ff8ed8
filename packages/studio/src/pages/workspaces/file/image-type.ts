const types: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
}

/** What a browser can show as an image, by the file's name. SVG is text: one reads and edits it. */
export function imageTypeOf(path: string): string | undefined {
  const ending = path.split('.').at(-1)?.toLowerCase() ?? ''
  return path.includes('.') ? types[ending] : undefined
}
