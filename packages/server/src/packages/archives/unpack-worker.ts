import { parentPort } from 'node:worker_threads'
import { CoherexError } from '@coherex/contract'
import { linkTree } from './link-tree.ts'
import { unpackTar } from './unpack-tar.ts'
import type { UnpackAnswer, UnpackJob } from './unpack-thread.ts'
import { unpackWheel } from './unpack-wheel.ts'

parentPort?.on('message', (job: UnpackJob) => void work(job))

async function work(job: UnpackJob): Promise<void> {
  parentPort?.postMessage(await answer(job))
}

async function answer(job: UnpackJob): Promise<UnpackAnswer> {
  try {
    return { unpacked: await perform(job) }
  } catch (error) {
    const { message, code = 'internal' } = error as Error & { code?: string }
    return { refused: { message, code, isOurs: error instanceof CoherexError } }
  }
}

function perform(job: UnpackJob) {
  switch (job.kind) {
    case 'tar':
      return unpackTar(job.file, job.directory, job.limits)
    case 'bytecode':
      return unpackTar(job.file, job.directory, job.limits, isBytecode)
    case 'wheel':
      return unpackWheel(job.file, job.directory, job.limits)
    case 'link':
      return linkTree(job.file, job.directory, job.limits)
  }
}

// beside the text of modules, and never instead of it
const isBytecode = (path: string) => /^site\/(?:.+\/)?__pycache__\/[^/]+\.pyc$/.test(path)
