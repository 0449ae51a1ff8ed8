import { z } from 'zod'
import type { Capability } from '../capability.ts'
import { defineMethod } from '../define-method.ts'
import { decodeFile, encodeFile, fileData, readOptions, writeOptions } from './file-data.ts'
import type { FileSpace } from './file-space.ts'
import { createTurns } from './take-turns.ts'

const path = z.string()
const recursive = z.strictObject({ recursive: z.boolean().default(false) }).optional()

export function createFilesCapability(space: FileSpace): Capability {
  const inTurn = createTurns(space)
  return {
    props: { space: space.kind, readOnly: space.readOnly, ...space.quota },
    methods: {
      read: defineMethod(
        'FILES.read',
        () => z.tuple([path, readOptions]),
        async ([file, options], _, taken) => encodeFile(await inTurn(file, taken), options?.encoding ?? 'utf8', file),
      ),
      write: defineMethod(
        'FILES.write',
        () => z.tuple([path, fileData, writeOptions]),
        async ([file, data, options]) => {
          await space.write(file, decodeFile(data, options?.encoding ?? 'utf8'))
          return null
        },
      ),
      append: defineMethod(
        'FILES.append',
        () => z.tuple([path, fileData, writeOptions]),
        async ([file, data, options]) => {
          await space.append(file, decodeFile(data, options?.encoding ?? 'utf8'))
          return null
        },
      ),
      delete: defineMethod(
        'FILES.delete',
        () => z.tuple([path]),
        async ([file]) => {
          await space.delete(file)
          return null
        },
      ),
      stat: defineMethod(
        'FILES.stat',
        () => z.tuple([path]),
        ([file]) => space.stat(file),
      ),
      exists: defineMethod(
        'FILES.exists',
        () => z.tuple([path]),
        ([file]) => space.exists(file),
      ),
      mkdir: defineMethod(
        'FILES.mkdir',
        () => z.tuple([path, recursive]),
        async ([directory, options]) => {
          await space.mkdir(directory, options)
          return null
        },
      ),
      readdir: defineMethod(
        'FILES.readdir',
        () => z.tuple([path.default('/')]),
        ([directory]) => space.readdir(directory),
      ),
      rmdir: defineMethod(
        'FILES.rmdir',
        () => z.tuple([path, recursive]),
        async ([directory, options]) => {
          await space.rmdir(directory, options)
          return null
        },
      ),
      rename: defineMethod(
        'FILES.rename',
        () => z.tuple([path, path]),
        async ([from, to]) => {
          await space.rename(from, to)
          return null
        },
      ),
    },
  }
}
