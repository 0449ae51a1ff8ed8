/** Says something to a screen reader, such as the page that was reached: without a page load the browser does not. */
export function announce(message: string): void {
  // young: browsers without it stay silent, as they were
  ;(document as Document & { ariaNotify?: (message: string) => void }).ariaNotify?.(message)
}
