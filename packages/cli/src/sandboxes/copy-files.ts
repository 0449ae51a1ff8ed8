import { openAsBlob } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { CoherexError, routes } from '@coherex/contract'
import type { Connection } from '../connect.ts'
import { bodyOf } from '../runs/body-of.ts'
import { openFolder } from '../runs/folder.ts'

/** A path in a sandbox. */
export interface Place {
  id: string
  path: string
}

interface Copy {
  from: string
  to: string
  /** Where paths of this machine begin. */
  directory: string
  force?: boolean | undefined
}

export function parsePlace(text: string): Place | undefined {
  const [, id, path = ''] = /^(sbx_[0-9a-z]{20,32}):\/?(.*)$/s.exec(text) ?? []
  return id === undefined ? undefined : { id, path: path.replace(/\/+$/, '') }
}

/** Copies between this machine and a sandbox; answers where the files are now. */
export async function copyFiles(connection: Connection, { from, to, directory, force }: Copy): Promise<string[]> {
  const source = parsePlace(from)
  const target = parsePlace(to)
  if (source && !target) return download(connection, source, { to, directory, force })
  if (target && !source) return upload(connection, resolve(directory, from), { ...target, isFolder: /[:/]$/.test(to) })
  throw new CoherexError('invalid_input', 'One of the two must be in a sandbox, such as sbx_…:data.csv')
}

async function upload(
  connection: Connection,
  file: string,
  { id, path, isFolder }: Place & { isFolder: boolean },
): Promise<string[]> {
  const found = await stat(file).catch((error: Error) => {
    throw new CoherexError('invalid_input', `Cannot read ${file}: ${error.message}`, { cause: error })
  })
  const target = isFolder || path === '' ? join(path, basename(file)) : path
  if (!found.isDirectory()) return [await uploadFile(connection, file, { id, path: target })]
  const copied: string[] = []
  for (const entry of await readdir(file, { withFileTypes: true, recursive: true })) {
    // links are not followed: what they lead to was not asked for
    if (!entry.isFile()) continue
    const full = join(entry.parentPath, entry.name)
    copied.push(await uploadFile(connection, full, { id, path: join(target, full.slice(file.length + 1)) }))
  }
  return copied
}

async function uploadFile({ open }: Connection, file: string, params: Place): Promise<string> {
  // read from the disk while it is sent
  await open(routes.sandboxes.writeFile, { params, body: await openAsBlob(file) })
  return `${params.id}:${params.path}`
}

async function download(
  { client, open }: Connection,
  { id, path }: Place,
  { to, directory, force }: { to: string; directory: string; force: boolean | undefined },
): Promise<string[]> {
  const read = async (file: string) => bodyOf(await open(routes.sandboxes.readFile, { params: { id, path: file } }))
  const parent = path.includes('/') ? dirname(path) : ''
  const { items: beside } = await client(routes.sandboxes.listFiles, { params: { id }, query: { path: parent } })
  const found = beside.find((file) => file.path === path)
  if (path !== '' && !found) throw new CoherexError('not_found', `There is no "${path}" in ${id}`)
  if (found && found.type !== 'directory') {
    const isFolder = (await stat(resolve(directory, to)).catch(() => undefined))?.isDirectory() || to.endsWith('/')
    const place = isFolder ? to : dirname(to)
    // one file of a name that its owner chose may go anywhere
    const folder = await openFolder(directory, place, { force: true })
    const name = isFolder ? basename(path) : basename(to)
    if (!force && (await stat(resolve(directory, place, name)).catch(() => undefined))) {
      throw new CoherexError('conflict', `${join(place, name)} is there already; add --force to replace it`)
    }
    return [await folder.save(name, await read(path))]
  }
  const { items } = await client(routes.sandboxes.listFiles, { params: { id }, query: { path, recursive: 'true' } })
  const folder = await openFolder(directory, to, { force })
  const copied: string[] = []
  for (const { path: file, type } of items) {
    if (type !== 'file') continue
    copied.push(await folder.save(path === '' ? file : file.slice(path.length + 1), await read(file)))
  }
  return copied
}
