import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPypiFixture } from '../../../tests/harness/outside/pypi-fixture.ts'
import { createWheelIndex, type WheelIndex } from '../../../tests/harness/outside/wheel-index.ts'
import { createEgress } from '../../egress/index.ts'
import type { ResolveRules } from '../package-source.ts'

const never = new AbortController().signal
const rules: ResolveRules = { allowBuilds: false }
type Fixture = Awaited<ReturnType<typeof createPypiFixture>>

describe('createPypiSource()', () => {
  let it: Fixture
  beforeAll(async () => {
    it = await createPypiFixture()
    const { index } = it
    const alpha = (version: string) => ({
      name: 'alpha',
      version,
      files: { 'alpha/__init__.py': `v = "${version}"\n` },
    })
    index.offer(alpha('1.0'))
    index.offer({
      ...alpha('2.0'),
      files: { 'alpha/__init__.py': 'v = "2.0"\n', 'alpha-2.0.data/purelib/alpha_extra.py': 'x = 1\n' },
      requires: ['Beta.Two>=1', 'gamma ; python_version < "3"'],
      scripts: { 'alpha-say': 'alpha:say' },
    })
    index.offer(alpha('3.0'), { uploadedAt: new Date('2026-01-01') })
    index.offer({ name: 'beta_two', version: '1.5', files: { 'beta_two.py': 'name = "beta"\n' } })
    index.offer({ name: 'beta_two', version: '1.6', files: { 'beta_two.py': 'name = "beta"\n' } })
    index.offer({ name: 'clash', version: '1.0', files: { 'clash.py': '' }, requires: ['beta-two<1.6', 'other'] })
    index.offer({ name: 'other', version: '1.0', files: { 'other.py': '' }, requires: ['beta-two>=1.6'] })
    index.offer({ name: 'elsewhere', version: '1.0', files: { 'e.py': '' }, tag: 'cp311-cp311-win_amd64' })
  })
  afterAll(() => it.close())

  const prove = (title: string, proof: () => Promise<void>) =>
    test(title, async (context) => {
      if (it.missing) return context.skip(it.missing)
      await proof()
    })
  const versions = async (asked: string[], more: Partial<ResolveRules> = {}, source = it.source) =>
    (await source.resolve(asked, { ...rules, ...more }, never)).map(({ name, version }) => `${name} ${version}`)

  prove('resolves by normalized names, lays out data and scripts, and reads its lock back', async () => {
    const packages = await it.source.resolve(['Alpha<3'], rules, never)
    expect(packages.map(({ name, version }) => `${name} ${version}`)).toEqual(['alpha 2.0', 'beta-two 1.6'])
    expect(packages.map(({ dependencies }) => dependencies)).toEqual([['beta-two'], []])
    const directory = it.emptyDirectory()
    const { modules } = await it.source.layOut(packages, directory, it.options())
    expect(modules).toEqual(['alpha', 'alpha_extra', 'beta_two'])
    expect(readFileSync(join(directory, 'site/alpha/__init__.py'), 'utf8')).toBe('v = "2.0"\n')
    expect(readdirSync(join(directory, 'bin'))).toEqual(['alpha-say'])
    expect(readdirSync(join(directory, 'site/alpha/__pycache__'))).toEqual([
      expect.stringMatching(/^__init__\.cpython-\d+\.pyc$/),
    ])
    const { text } = it.source.toLockFile(['alpha<3'], packages)
    expect(await it.source.resolve(['alpha'], { ...rules, lockFile: text }, never)).toEqual(packages)
  })

  prove('prefers versions of the base stack, which are not unpacked again', async () => {
    const interpreter = { python: '/usr/bin/python3', version: '3.11', packages: { 'beta-two': '1.5' } }
    const source = it.sourceOf({ interpreter })
    expect(await versions(['alpha<3'], {}, source)).toEqual(['alpha 2.0', 'beta-two 1.5'])
    expect(await versions(['alpha<3', 'beta-two>1.5'], {}, source)).toEqual(['alpha 2.0', 'beta-two 1.6'])
    const packages = await source.resolve(['alpha<3'], rules, never)
    const { modules } = await source.layOut(packages, it.emptyDirectory(), it.options())
    expect(modules).toEqual(['alpha', 'alpha_extra'])
    expect(source.platform).not.toBe(it.source.platform)
  })

  prove('brings pandas along with a numpy that the base stack is not built for', async () => {
    for (const [name, version, requires] of [
      ['numpy', '1.24.2', []],
      ['numpy', '2.1', []],
      ['pandas', '1.5.3', ['numpy<2']],
      ['pandas', '2.3', ['numpy>=2']],
    ] as const) {
      it.index.offer({ name, version, files: { [`${name}.py`]: '' }, requires })
    }
    const packages = { numpy: '1.24.2', pandas: '1.5.3' }
    const source = it.sourceOf({ interpreter: { python: '/usr/bin/python3', version: '3.11', packages } })
    expect(await versions(['numpy'], {}, source)).toEqual(['numpy 1.24.2'])
    expect(await versions(['numpy>=2'], {}, source)).toEqual(['numpy 2.1', 'pandas 2.3'])
  })

  const failures: [string[], string, RegExp][] = [
    [['nothing-of-that-name'], 'not_found', /^There is no package "nothing-of-that-name" in http:\/\/127/],
    [['sklearn'], 'not_found', /the module comes with "scikit-learn"$/],
    [['alpha>99'], 'not_found', /^No version fits: of alpha there is <=3\.0/],
    [['clash'], 'invalid_input', /^The packages do not fit together: .*clash.*beta-two/],
    [['elsewhere'], 'invalid_input', /^elsewhere.* has no wheel for Python 3\.11 on this machine/],
    [['alpha', '--index-url http://127.0.0.1:1/simple'], 'invalid_input', /options of pip are not taken/],
    [['alpha', '-r /etc/passwd'], 'invalid_input', /options of pip are not taken/],
    [['alpha @ file:///etc/passwd'], 'invalid_input', /addresses, paths and options/],
    [['alpha\n--extra-index-url http://127.0.0.1:1/simple'], 'invalid_input', /addresses, paths and options/],
  ]
  for (const [asked, code, message] of failures) {
    prove(`refuses ${JSON.stringify(asked)} with ${code}`, async () => {
      const failure = it.source.resolve(asked, rules, never)
      await expect(failure).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
    })
  }

  prove('says that its index cannot be reached, and shows no password of it', async () => {
    const source = it.sourceOf({ index: 'http://someone:secret@127.0.0.1:9/simple' })
    const failure = await source.resolve(['alpha'], rules, never).catch((error: Error) => error)
    expect(failure).toMatchObject({ code: 'unavailable', message: expect.stringContaining('COHEREX_PYPI_INDEX') })
    expect(String(failure)).not.toContain('secret')
  })

  prove('gives credentials to its index alone', async () => {
    const closed = await createWheelIndex({ credentials: 'someone:secret' })
    closed.offer({ name: 'inner', version: '1.0', files: { 'inner.py': '' } })
    try {
      const source = it.sourceOf({ index: closed.url })
      const packages = await source.resolve(['inner'], rules, never)
      expect(JSON.stringify([packages, source.toLockFile(['inner'], packages)])).not.toContain('secret')
      const { modules } = await source.layOut(packages, it.emptyDirectory(), it.options())
      expect(modules).toEqual(['inner'])
    } finally {
      await closed.close()
    }
  })

  prove(
    'an index that tells no release times is refused under a minimum age, unless the operator allows it',
    async () => {
      const undated = await createWheelIndex({ tellsTimes: false })
      undated.offer({ name: 'inner', version: '1.0', files: { 'inner.py': '' } })
      try {
        const source = it.sourceOf({ index: undated.url })
        const before = new Date()
        await expect(source.resolve(['inner'], { ...rules, before }, never)).rejects.toMatchObject({
          code: 'forbidden',
          message: expect.stringContaining('COHEREX_PACKAGES_UNDATED'),
        })
        const exempt = it.sourceOf({ index: undated.url, isAgeless: true })
        expect(await versions(['inner'], { before }, exempt)).toEqual(['inner 1.0'])
      } finally {
        await undated.close()
      }
    },
  )

  prove('a team index is the only one, and names of it never come from the machine’s index', async () => {
    const team = await createWheelIndex()
    team.offer({ name: 'alpha', version: '0.1', files: { 'alpha.py': '' }, requires: ['beta-two'] })
    try {
      const port = Number(new URL(team.origin).port)
      const source = it.sourceOf({ egress: createEgress({ allowPrivate: [{ host: '127.0.0.1', port }] }) })
      const asked = it.index.asked.length
      await expect(source.resolve(['alpha'], { ...rules, index: team.url }, never)).rejects.toMatchObject({
        code: 'not_found',
        message: expect.stringContaining('beta-two'),
      })
      team.offer({ name: 'beta-two', version: '0.2', files: { 'beta_two.py': '' } })
      expect(await versions(['alpha'], { index: team.url }, source)).toEqual(['alpha 0.1', 'beta-two 0.2'])
      expect(it.index.asked.length).toBe(asked)
      // the operator has not opened this door to teams
      await expect(it.source.resolve(['alpha'], { ...rules, index: team.url }, never)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('may not be reached'),
      })
    } finally {
      await team.close()
    }
  })

  /** A team may name it: the operator has opened the door. */
  const openTo = (...indexes: WheelIndex[]) =>
    it.sourceOf({
      egress: createEgress({
        allowPrivate: indexes.map(({ origin }) => ({ host: '127.0.0.1', port: Number(new URL(origin).port) })),
      }),
    })

  prove('a team index with credentials gives its files as well as its pages', async () => {
    const team = await createWheelIndex({ credentials: 'team:secret' })
    team.offer({ name: 'closed', version: '1.0', files: { 'closed.py': '' } })
    try {
      const source = openTo(team)
      const packages = await source.resolve(['closed'], { ...rules, index: team.url }, never)
      expect(JSON.stringify(packages)).not.toContain('secret')
      const lay = (index: string) => source.layOut(packages, it.emptyDirectory(), { ...it.options(), index })
      await expect(lay(team.url.replace('secret', 'guess'))).rejects.toMatchObject({ code: 'forbidden' })
      expect((await lay(team.url)).modules).toEqual(['closed'])
    } finally {
      await team.close()
    }
  })

  prove('the hash of a wheel of another team’s index brings nobody its content', async () => {
    const victim = await createWheelIndex({ credentials: 'team:secret' })
    const hostile = await createWheelIndex()
    victim.offer({ name: 'closed', version: '2.0', files: { 'closed.py': 'key = 1' } })
    try {
      const source = openTo(victim, hostile)
      const packages = await source.resolve(['closed'], { ...rules, index: victim.url }, never)
      const lay = (of: WheelIndex | undefined, what = packages) =>
        source.layOut(what, it.emptyDirectory(), { ...it.options(), ...(of && { index: of.url }) })
      await lay(victim)
      const hex = Buffer.from(packages[0]?.integrity.replace('sha256-', '') ?? '', 'base64').toString('hex')
      hostile.offer({ name: 'closed', version: '2.0', files: { 'closed.py': 'other' } }, { sha256: hex })
      const wanted = await source.resolve(['closed'], { ...rules, index: hostile.url }, never)
      expect(wanted[0]?.integrity).toBe(packages[0]?.integrity)
      await expect(lay(hostile, wanted)).rejects.toMatchObject({ code: 'invalid_input' })
      // nor does a lock of the operator's index
      await expect(lay(undefined, wanted)).rejects.toMatchObject({ code: 'invalid_input' })
    } finally {
      await victim.close()
      await hostile.close()
    }
  })

  prove('a lock whose hash is not that of the index any more is refused', async () => {
    const packages = await it.source.resolve(['beta-two==1.5'], rules, never)
    const { text } = it.source.toLockFile(['beta-two==1.5'], packages)
    const changed = text.replace(/[0-9a-f]{64}/, 'ab'.repeat(32))
    await expect(it.source.resolve(['beta-two'], { ...rules, lockFile: changed }, never)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('The hash of beta-two 1.5'),
    })
    for (const broken of ['[[packages', 'lock-version = "9"', 'lock-version = "1.0"\npackages = 1']) {
      const failure = it.source.resolve(['beta-two'], { ...rules, lockFile: broken }, never)
      await expect(failure).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringMatching('pylock') })
    }
  })

  prove('a page that leads to a private address gets nobody there', async () => {
    const inside = await createWheelIndex()
    const other = await createWheelIndex()
    try {
      for (const [name, url] of Object.entries({
        'leads-inside': `${inside.origin}/files/leads_inside-1.0-py3-none-any.whl`,
        'leads-away': `${other.origin}/files/away.whl`,
      })) {
        other.offer({ name, version: '1.0', files: { 'x.py': '' } }, { url })
      }
      other.redirect('/files/away.whl', `${inside.origin}/secret`)
      other.offer({ name: 'moved', version: '1.0', files: {} })
      other.redirect('/simple/moved', `${inside.origin}/simple/moved/`)
      const source = it.sourceOf({ index: other.url })
      // its metadata is where the file is
      await expect(source.resolve(['leads-inside'], rules, never)).rejects.toMatchObject({ code: 'unavailable' })
      await expect(source.resolve(['moved'], rules, never)).rejects.toMatchObject({ code: 'unavailable' })
      const packages = [
        {
          name: 'away',
          version: '1.0',
          integrity: `sha256-${'A'.repeat(43)}=`,
          size: null,
          url: `${other.origin}/files/away.whl`,
        },
      ]
      await expect(source.layOut(packages, it.emptyDirectory(), it.options())).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('Cannot add away 1.0'),
      })
      expect(inside.asked).toEqual([])
    } finally {
      await inside.close()
      await other.close()
    }
  })

  prove('lays out wheels that are kept where neither uv nor an index is there', async () => {
    const packages = await it.source.resolve(['alpha==1.0'], rules, never)
    const offline = it.sourceOf({ uv: undefined, index: undefined, offline: 'UV_OFFLINE is set' })
    expect(await offline.isKept?.(packages)).toBe(false)
    const lay = () => offline.layOut(packages, it.emptyDirectory(), it.options())
    await expect(lay()).rejects.toMatchObject({ code: 'unavailable' })
    await it.source.layOut(packages, it.emptyDirectory(), it.options())
    expect(await offline.isKept?.(packages)).toBe(true)
    expect((await lay()).modules).toEqual(['alpha'])
  })

  test('says that uv is missing, or that the machine is set to use no index', async () => {
    const without = it.sourceOf({ uv: join(it.root, 'nothing') })
    expect(without.unavailable()).toMatch(/^uv is missing/)
    await expect(without.resolve(['alpha'], rules, never)).rejects.toMatchObject({ code: 'unavailable' })
    const offline = it.sourceOf({ offline: 'PIP_NO_INDEX is set' })
    await expect(offline.resolve(['alpha'], rules, never)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('PIP_NO_INDEX is set'),
    })
  })
})
