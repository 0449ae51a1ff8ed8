import type { RunningProcess } from '../../runs/index.ts'

interface Looked {
  readers: number
  isKept: boolean
  timer: NodeJS.Timeout | undefined
}

/** Shells and how many look at each. One that nobody looks at any more ends, at once or after a while if it is kept. */
export function createKeptShells(keptMs: number) {
  const looked = new Map<RunningProcess, Looked>()

  return {
    /** Somebody looks at it. Returns how they leave; one who lost the right to it does not leave it running. */
    join(shell: RunningProcess, { isKept }: { isKept: boolean }): (leaving: { hasLost: boolean }) => void {
      const known = looked.get(shell) ?? { readers: 0, isKept: false, timer: undefined }
      clearTimeout(known.timer)
      known.readers++
      known.isKept ||= isKept
      looked.set(shell, known)
      void shell.process.exited.then(() => {
        clearTimeout(known.timer)
        looked.delete(shell)
      })
      return ({ hasLost }) => {
        known.readers--
        if (known.readers > 0) return
        const end = () => shell.process.kill('SIGHUP')
        if (known.isKept && !hasLost && !shell.exit) known.timer = setTimeout(end, keptMs).unref()
        else end()
      }
    },
    close(): void {
      for (const { timer } of looked.values()) clearTimeout(timer)
      looked.clear()
    },
  }
}
