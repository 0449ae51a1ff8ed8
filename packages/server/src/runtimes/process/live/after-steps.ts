/**
 * Calls back after so many steps of time, each counted when this process sees it pass. Where the machine stands still, or this
 * process has no core, that is one step: whoever is waited for had no time either. Returns how to stop.
 */
export function afterSteps(steps: number, stepMs: number, act: () => void): () => void {
  let left = steps
  const timer = setInterval(() => {
    if (--left > 0) return
    clearInterval(timer)
    act()
  }, stepMs)
  return () => clearInterval(timer)
}
