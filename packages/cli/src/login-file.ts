import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CoherexError } from '@coherex/contract'

/** Which server, and the key that opens it. */
export interface Login {
  url: string
  key: string
}

export async function readLogin(file: string): Promise<Login | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new CoherexError('invalid_input', `Cannot read ${file}: ${error.code}`, { cause: error })
  })
  if (text === undefined) return undefined
  try {
    const { url, key } = JSON.parse(text) as Partial<Login>
    if (typeof url === 'string' && typeof key === 'string') return { url, key }
  } catch {
    // not JSON: the sentence below says what to do
  }
  throw new CoherexError('invalid_input', `Cannot read ${file}: it is damaged. Run coherex login again`)
}

export async function writeLogin(file: string, login: Login): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${process.pid}`
  // a new file is 0600 from its first byte, and the rename replaces one that was wider
  await writeFile(next, `${JSON.stringify(login, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(next, file)
}

export async function forgetLogin(file: string): Promise<void> {
  await rm(file, { force: true })
}
