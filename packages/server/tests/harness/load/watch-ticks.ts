/** Measures the longest turn of this thread's event loop in CPU time, which does not depend on what else the machine does. */
export function watchTicks(): { stop(): number } {
  const spent = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let longestMs = 0
  let last = spent()
  const timer = setInterval(() => {
    const now = spent()
    longestMs = Math.max(longestMs, now - last)
    last = now
  }, 1)
  return {
    stop() {
      clearInterval(timer)
      return longestMs
    },
  }
}
