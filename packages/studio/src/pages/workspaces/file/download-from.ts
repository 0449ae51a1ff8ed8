/** Has the browser download what is at an address, under the last part of its path. */
export function downloadFrom(url: string, path: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = path.split('/').at(-1) ?? path
  link.click()
}
