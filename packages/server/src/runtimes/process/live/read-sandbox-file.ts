import type { SandboxFile } from '../../sandbox.ts'
import { isInside } from '../produced-files.ts'
import { isCount, isRecord } from './keeper-messages.ts'

const types = ['file', 'directory', 'link'] as const

/** A file as the keeper tells it, if it can be one; undefined also for names that no path of ours can hold. */
export function readSandboxFile(value: unknown): SandboxFile | undefined {
  if (!isRecord(value)) return undefined
  const { path, size, modifiedAt, stamp, linkTarget, isExecutable } = value
  const type = types.find((known) => known === value['type'])
  if (!type || typeof path !== 'string' || (path !== '' && !isInside(path)) || !path.isWellFormed()) return undefined
  if (!isCount(size) || typeof modifiedAt !== 'number' || typeof stamp !== 'string' || stamp.length > 100)
    return undefined
  return {
    path,
    type,
    size,
    modifiedAt,
    stamp,
    ...(type === 'link' && typeof linkTarget === 'string' && linkTarget.length <= 4096 && { linkTarget }),
    ...(type === 'file' && isExecutable === true && { isExecutable }),
  }
}
