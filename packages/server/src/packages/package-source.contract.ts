import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FetchProgress, PackageSource, ResolvedPackage } from './package-source.ts'

/**
 * What a test gives to prove a source: its registry has `one` 1.0.0 (2024-01-01), 1.1.0 (2024-06-01) and 2.0.0 (2025-01-01),
 * `two` 1.0.0 (2024-01-01) that needs `one` of major version 1, and `tampered` 1.0.0 whose archive is another than it says.
 */
export interface SourceSubject {
  source: PackageSource
  /** A requirement in the language's words: any version, or those of one major version. */
  ask(name: string, major?: number): string
  /** A file of package `one` below the directory of a set. */
  fileOfOne: string
  /** Its lock file has addresses of archives, which other tools take them from. */
  lockNamesRegistry?: true
  /** Requests that the registry got so far. */
  requests(): number
  close(): Promise<void>
}

const never = new AbortController().signal
const rules = { allowBuilds: false }

export function describePackageSource(name: string, open: () => Promise<SourceSubject | string>): void {
  describe(`PackageSource: ${name}`, () => {
    let subject: SourceSubject | undefined
    let missing = ''
    const root = mkdtempSync(join(tmpdir(), 'coherex-source-'))
    let count = 0
    beforeAll(async () => {
      const opened = await open()
      if (typeof opened === 'string') missing = opened
      else subject = opened
    })
    afterAll(async () => {
      await subject?.close()
      rmSync(root, { recursive: true, force: true })
    })

    const prove = (title: string, proof: (subject: SourceSubject) => Promise<void>) =>
      test(title, async (context) => {
        if (!subject) return context.skip(missing)
        await proof(subject)
      })
    const versions = (packages: readonly ResolvedPackage[]) =>
      packages.map(({ name: of, version }) => `${of} ${version}`).toSorted()
    const layOut = async (source: PackageSource, packages: readonly ResolvedPackage[], options = {}) => {
      const directory = join(root, `${++count}`)
      mkdirSync(directory)
      const progress: FetchProgress[] = []
      const laid = source.layOut(packages, directory, {
        maxBytes: 10_000_000,
        allowBuilds: false,
        signal: never,
        onProgress: (done) => progress.push(done),
        ...options,
      })
      return { directory, progress, laid }
    }

    prove('resolves requirements to exact versions with integrity', async ({ source, ask }) => {
      const found = await source.resolve([ask('two')], rules, never)
      expect(versions(found)).toEqual(['one 1.1.0', 'two 1.0.0'])
      for (const { integrity } of found) expect(integrity).toMatch(/^sha(256|512)-[\w+/]+=*$/)
      expect(versions(await source.resolve([ask('one')], rules, never))).toEqual(['one 2.0.0'])
    })

    prove('takes no release that is younger than asked for', async ({ source, ask }) => {
      const before = new Date('2024-12-01')
      expect(versions(await source.resolve([ask('one')], { ...rules, before }, never))).toEqual(['one 1.1.0'])
      const earlier = new Date('2024-03-01')
      expect(versions(await source.resolve([ask('two')], { ...rules, before: earlier }, never))).toEqual([
        'one 1.0.0',
        'two 1.0.0',
      ])
      await expect(source.resolve([ask('one', 2)], { ...rules, before }, never)).rejects.toMatchObject({
        code: 'not_found',
        message: expect.stringContaining('one'),
      })
    })

    prove(
      'keeps to a lock file that it wrote, though there is a newer version',
      async ({ source, ask, lockNamesRegistry }) => {
        const old = await source.resolve([ask('two')], { ...rules, before: new Date('2024-03-01') }, never)
        const { text } = source.toLockFile([ask('two')], old)
        if (!lockNamesRegistry) expect(text).not.toContain('127.0.0.1')
        const again = await source.resolve([ask('two')], { ...rules, lockFile: text }, never)
        expect(versions(again)).toEqual(['one 1.0.0', 'two 1.0.0'])
      },
    )

    prove('lays out what was resolved, with progress, and from then on without the registry', async (given) => {
      const { source, ask, fileOfOne, requests } = given
      const packages = await source.resolve([ask('two')], rules, never)
      const { laid, directory, progress } = await layOut(source, packages)
      const { modules } = await laid
      expect(modules).toEqual(['one', 'two'])
      expect(progress.at(-1)).toMatchObject({ packages: 2, of: 2 })
      // each is named while it comes, and its bytes count before it is all there
      expect(new Set(progress.flatMap(({ fetching = [] }) => fetching))).toEqual(new Set(['one', 'two']))
      expect(progress.some(({ packages: done, bytes }) => done === 0 && bytes > 0)).toBe(true)
      expect(existsSync(join(directory, fileOfOne))).toBe(true)
      const before = requests()
      await (
        await layOut(source, packages)
      ).laid
      expect(requests()).toBe(before)
    })

    prove('refuses an archive that is not what the lock names, and writes nothing of it', async ({ source, ask }) => {
      const packages = await source.resolve([ask('tampered')], rules, never)
      const { laid, directory } = await layOut(source, packages)
      await expect(laid).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('tampered') })
      expect(readdirSync(directory, { recursive: true })).toEqual([])
    })

    prove('refuses what is larger than it may be, and names no other reason', async ({ source, ask }) => {
      const packages = await source.resolve([ask('two')], rules, never)
      const { laid } = await layOut(source, packages, { maxBytes: 50 })
      await expect(laid).rejects.toMatchObject({ code: 'too_large' })
    })

    prove('ends when it is given up', async ({ source, ask }) => {
      const gone = AbortSignal.abort(new Error('given up'))
      await expect(source.resolve([ask('two')], rules, gone)).rejects.toThrow('given up')
    })

    prove('says what is not there', async ({ source, ask }) => {
      const missingPackage = source.resolve([ask('nothing-of-that-name')], rules, never)
      await expect(missingPackage).rejects.toMatchObject({
        code: 'not_found',
        message: expect.stringContaining('nothing-of-that-name'),
      })
      expect(await source.info('nothing-of-that-name', never)).toBeUndefined()
    })

    prove('tells versions of a package, newest first, with their dates', async ({ source }) => {
      const info = await source.info('one', never)
      expect(info).toMatchObject({ name: 'one', summary: expect.stringContaining('one') })
      expect(info?.versions.map(({ version, publishedAt }) => [version, publishedAt])).toEqual([
        ['2.0.0', '2025-01-01T00:00:00.000Z'],
        ['1.1.0', '2024-06-01T00:00:00.000Z'],
        ['1.0.0', '2024-01-01T00:00:00.000Z'],
      ])
    })
  })
}
