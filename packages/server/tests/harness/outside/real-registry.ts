const isOpen = Symbol.for('coherex.real-registry')

/** Lets this test file reach a real registry; call what it returns when the tests are over. Such tests skip where none answers. */
export function reachRealRegistry(): () => void {
  Object.assign(globalThis, { [isOpen]: true })
  return () => void Reflect.deleteProperty(globalThis, isOpen)
}
