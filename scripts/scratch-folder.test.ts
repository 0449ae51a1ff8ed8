import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeScratchFolder } from './scratch-folder.mjs'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'coherex-scratch-'))
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

test('tests write where TMPDIR says, in a folder that other users can use and not empty', () => {
  const folder = makeScratchFolder(parent)
  expect(dirname(folder)).toBe(parent)
  expect(statSync(folder).mode & 0o7777).toBe(0o1777)
})

test('what a killed run left is removed; what a running one has, and what others call theirs, is not', () => {
  const { pid: ended } = spawnSync('true')
  const left = join(parent, `coherex-${ended}-abcdef`)
  const others = ['coherex-data-abcdef', `coherex-${process.pid}-abcdef`, 'other'].map((name) => join(parent, name))
  for (const path of [left, ...others]) mkdirSync(path)
  makeScratchFolder(parent)
  expect(existsSync(left)).toBe(false)
  expect(others.filter((path) => !existsSync(path)).map((path) => basename(path))).toEqual([])
})
