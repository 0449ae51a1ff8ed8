import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { CoherexError } from '@coherex/contract'
import { stateFolder } from './state-file.ts'

/** Keeps other programs from syncing the same folder; gives how to let go of it. One that was killed keeps nobody out. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, stateFolder, 'lock')
  await mkdir(join(folder, stateFolder), { recursive: true })
  for (let attempt = 0; attempt < 3; attempt++) {
    const isMine = await writeFile(file, `${process.pid}\n`, { flag: 'wx' }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false
        throw error
      },
    )
    if (isMine) return () => rm(file, { force: true })
    let holder = await readHolder(file)
    if (holder === 0) {
      // made a moment ago and not written yet, or left so
      await setTimeout(100)
      holder = await readHolder(file)
    }
    if (isRunning(holder)) {
      throw new CoherexError(
        'conflict',
        `${folder} is being synced by another coherex (process ${holder}); if that is not so, delete ${file}`,
      )
    }
    await rm(file, { force: true })
  }
  throw new CoherexError('unavailable', `Cannot lock ${folder}: try again`)
}

async function readHolder(file: string): Promise<number> {
  return Number(await readFile(file, 'utf8').catch(() => '')) || 0
}

function isRunning(pid: number): boolean {
  // in a container the one before may have had our number
  if (pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // it runs, as someone else
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
