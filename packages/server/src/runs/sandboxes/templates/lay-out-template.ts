import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isPlainPath } from '@coherex/contract'
import type { Blobs } from '../../../base/index.ts'
import type { TemplateFile } from './template-store.ts'

interface Place {
  directory: string
  teamId: string
  name: string
  version: number
}

/** The directory of a template's packages, made from blobs where it is not there. Sandboxes see it and cannot write it. */
export async function layOutTemplate(place: Place, files: TemplateFile[], blobs: Blobs): Promise<string> {
  const path = pathOf(place)
  if (await stat(path).catch(() => undefined)) return path
  // whole or not there: renamed once everything is in it, and of two at once one wins
  const beside = `${path}.${randomUUID()}`
  await mkdir(beside, { recursive: true, mode: 0o755 })
  try {
    for (const { path: file, hash } of files) {
      if (!isPlainPath(file)) continue // named by a guest, so it is looked at once more
      const body = await blobs.read(place.teamId, hash)
      if (!body) throw new Error(`template ${place.name}@${place.version} lacks a blob`)
      await mkdir(dirname(join(beside, file)), { recursive: true, mode: 0o755 })
      await pipeline(body, createWriteStream(join(beside, file), { mode: 0o644, flags: 'wx' }))
    }
    await rename(beside, path).catch(async (error: unknown) => {
      if (!(await stat(path).catch(() => undefined))) throw error
    })
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
  return path
}

/** Sandboxes that are open keep what they see of it until they close. */
export async function removeTemplateDirectory(directory: string, teamId: string, name: string): Promise<void> {
  const parent = join(directory, teamId)
  for (const one of await readdir(parent).catch(() => [])) {
    if (one.split('@')[0] === name) await rm(join(parent, one), { recursive: true, force: true })
  }
}

function pathOf({ directory, teamId, name, version }: Place): string {
  return join(directory, teamId, `${name}@${version}`)
}
