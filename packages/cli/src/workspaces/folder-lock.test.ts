import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFolder } from './folder-lock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coherex-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const lock = () => join(folder, '.coherex/lock')

test('lockFolder() keeps others out until it is let go', async () => {
  mkdirSync(join(folder, '.coherex'))
  writeFileSync(lock(), `${process.ppid}\n`)
  await expect(lockFolder(folder)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(`process ${process.ppid}`) as string,
  })
  rmSync(lock())
  const unlock = await lockFolder(folder)
  expect(existsSync(lock())).toBe(true)
  await unlock()
  expect(existsSync(lock())).toBe(false)
})

test('lockFolder() is not kept out by a program that was killed', async () => {
  const { pid } = spawnSync('true')
  for (const left of [`${pid}\n`, `${process.pid}\n`, '', 'nonsense']) {
    mkdirSync(join(folder, '.coherex'), { recursive: true })
    writeFileSync(lock(), left)
    await (
      await lockFolder(folder)
    )()
  }
})
