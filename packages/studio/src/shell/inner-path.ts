/** A path of this site, as opposed to an address that would lead away after signing in. */
export function isInnerPath(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value) && !/[\t\n\r]/.test(value)
}
