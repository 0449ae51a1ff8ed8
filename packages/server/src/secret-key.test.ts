import { execFile } from 'node:child_process'
import { mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { keyProof } from './access/index.ts'
import { createSecretKey, findKeyInForce } from './secret-key.ts'

test('findKeyInForce() finds the new key while a rotation moves it from one file to the other', async () => {
  const path = await mkdtemp(join(tmpdir(), 'coherex-key-'))
  const [from, to] = [createSecretKey(), createSecretKey()]
  const [current, next] = [join(path, 'secret.key'), join(path, 'secret.key.next')]
  // a pipe holds its reader until the rotation is over
  await promisify(execFile)('mkfifo', [current])
  const held = await open(current, 'r+')
  try {
    await held.write(from)
    await writeFile(next, to)
    const found = findKeyInForce(path, keyProof(to))
    await writeFile(join(path, 'new'), to)
    await rename(join(path, 'new'), current)
    await rm(next)
    await held.close()
    expect(await found).toBe(to)
    expect(await findKeyInForce(path, keyProof(to))).toBe(to)
    expect(await findKeyInForce(path, keyProof(from))).toBeUndefined()
  } finally {
    await rm(path, { recursive: true })
  }
})
