// what a person does when they are about to read or type
const signs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'] as const
// a page that is done with itself
const restMs = 3_000

/** Calls back at the first sign of a person, or when the page has been at rest for a while. */
export function waitForEditor(load: () => void): () => void {
  let idle: number | undefined
  const timer = setTimeout(() => {
    // not all browsers tell when they are idle
    if (typeof requestIdleCallback === 'undefined') begin()
    else idle = requestIdleCallback(begin)
  }, restMs)
  function stop() {
    clearTimeout(timer)
    if (idle !== undefined) cancelIdleCallback(idle)
    for (const sign of signs) removeEventListener(sign, begin, { capture: true })
  }
  function begin() {
    stop()
    load()
  }
  for (const sign of signs) addEventListener(sign, begin, { capture: true, passive: true })
  return stop
}
