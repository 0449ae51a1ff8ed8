import { CapabilityError } from '../capability.ts'
import { type LaunchShell, type ShellLaunchSpec, type ShellProcess, startShellProcess } from './shell-process.ts'

/** Shells made ahead of need. Each serves one run and is never given to another. */
export interface ShellPool {
  take(): Promise<ShellProcess>
  close(): Promise<void>
}

export function createShellPool({
  launch,
  spec,
  spares = 1,
}: {
  launch: LaunchShell
  spec: ShellLaunchSpec
  spares?: number
}): ShellPool {
  const ready: ShellProcess[] = []
  let starting = 0
  let isClosed = false

  async function prepare(): Promise<void> {
    if (isClosed || ready.length + starting >= spares) return
    starting++
    try {
      const shell = await startShellProcess(launch, spec)
      if (isClosed) await shell.kill()
      else ready.push(shell)
    } catch {
      // a spare that does not start is no failure of anybody's call; the next call starts its own and hears why
    } finally {
      starting--
    }
  }

  return {
    async take() {
      if (isClosed) throw new CapabilityError('UNAVAILABLE', 'Cannot start the shell: the server is stopping')
      let shell = ready.shift()
      while (shell && !shell.isAlive()) shell = ready.shift()
      try {
        return shell ?? (await startShellProcess(launch, spec))
      } catch (error) {
        if (error instanceof CapabilityError) throw error
        throw new CapabilityError('UNAVAILABLE', 'Cannot start the shell: no sandbox can be made now')
      } finally {
        void prepare()
      }
    },
    async close() {
      isClosed = true
      await Promise.all(ready.splice(0).map((shell) => shell.kill()))
    },
  }
}
