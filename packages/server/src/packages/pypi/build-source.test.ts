import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPypiFixture } from '../../../tests/harness/outside/pypi-fixture.ts'

const never = new AbortController().signal
const rules = { allowBuilds: true }

async function makeSource(name: string, version: string, files: Record<string, string>) {
  const archive = pack()
  for (const [path, text] of Object.entries(files)) archive.entry({ name: `${name}-${version}/${path}` }, text)
  archive.finalize()
  const pieces: Buffer[] = []
  for await (const piece of archive) pieces.push(piece as Buffer)
  return { filename: `${name}-${version}.tar.gz`, bytes: gzipSync(Buffer.concat(pieces)), metadata: '' }
}

// a backend in a few lines: what it needs comes from the index, and it tries the network
const backend = `
import base64, hashlib, socket, zipfile


def get_requires_for_build_wheel(settings=None):
    return ["further"]


def build_wheel(directory, settings=None, metadata=None):
    import further
    try:
        socket.create_connection(("127.0.0.1", PORT), 2)
        reached = True
    except OSError:
        reached = False
    name = NAME
    files = {
        f"{name}.py": f"reached = {reached}\\n",
        f"{name}-1.0.dist-info/METADATA": f"Metadata-Version: 2.1\\nName: {name}\\nVersion: 1.0\\nRequires-Dist: plain\\n",
        f"{name}-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
    }
    lines = []
    with zipfile.ZipFile(f"{directory}/{name}-1.0-py3-none-any.whl", "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
            digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
            lines.append(f"{path},sha256={digest},{len(text)}")
        wheel.writestr(f"{name}-1.0.dist-info/RECORD", "\\n".join([*lines, f"{name}-1.0.dist-info/RECORD,,", ""]))
    return f"{name}-1.0-py3-none-any.whl"
`

describe('source distributions', { timeout: 120_000 }, () => {
  let it: Awaited<ReturnType<typeof createPypiFixture>>
  beforeAll(async () => {
    it = await createPypiFixture()
    const { index } = it
    const port = new URL(index.origin).port
    const tool = backend.replace('PORT', port).replace('NAME', '"built"')
    index.offer({ name: 'tool', version: '1.0', files: { 'tool.py': tool } })
    index.offer({ name: 'further', version: '1.0', files: { 'further.py': '' } })
    index.offer({ name: 'plain', version: '1.0', files: { 'plain.py': '' } })
    const system = '[build-system]\nrequires = ["tool"]\nbuild-backend = "tool"\n'
    index.offerFile('built', await makeSource('built', '1.0', { 'pyproject.toml': system }))
    index.offerFile(
      'broken',
      await makeSource('broken', '1.0', {
        'pyproject.toml': '[build-system]\nrequires = ["plain"]\nbuild-backend = "plain"\n',
      }),
    )
    index.offerFile(
      'reaching',
      await makeSource('reaching', '1.0', {
        'pyproject.toml': '[build-system]\nrequires = ["x @ file:///etc/passwd"]\n',
      }),
    )
  })
  afterAll(() => it.close())

  const prove = (title: string, proof: () => Promise<void>) =>
    test(title, async (context) => {
      if (it.missing) return context.skip(it.missing)
      await proof()
    })

  prove('are built without a network where the team allows it, with what their build needs', async () => {
    const packages = await it.source.resolve(['built'], rules, never)
    expect(packages.map(({ name, version, isSource }) => [name, version, isSource])).toEqual([
      ['built', '1.0', true],
      ['plain', '1.0', undefined],
    ])
    const directory = it.emptyDirectory()
    const { modules } = await it.source.layOut(packages, directory, { ...it.options(), allowBuilds: true })
    expect(modules).toEqual(['built', 'plain'])
    expect(readFileSync(join(directory, 'site/built.py'), 'utf8')).toBe('reached = False\n')
    expect(it.source.toLockFile(['built'], packages).text).toContain('built-1.0.tar.gz')
    const elsewhere = it.sourceOf({ storeDirectory: join(it.root, 'other-store') })
    await expect(elsewhere.layOut(packages, it.emptyDirectory(), it.options())).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('built 1.0'),
    })
  })

  prove('are refused where the team does not allow it', async () => {
    await expect(it.source.resolve(['built'], { allowBuilds: false }, never)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('let an admin allow builds'),
    })
  })

  prove('that cannot be built say why', async () => {
    await expect(it.source.resolve(['broken'], rules, never)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^Cannot build broken 1\.0: its build failed: .*build_wheel/s),
    })
    await expect(it.source.resolve(['reaching'], rules, never)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('addresses, paths and options of pip are not taken'),
    })
  })
})
