import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { readSkillZip } from './read-skill-zip.ts'

async function* chunksOf(files: Record<string, string>) {
  yield zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])))
}
const read = async (files: Record<string, string>) => {
  const { folder, content } = await readSkillZip(chunksOf(files))
  return { folder, files: [...content].map(([path, bytes]) => `${path}=${bytes.toString()}`) }
}

test('readSkillZip() takes the folder of a skill, or the root, and leaves out what systems add', async () => {
  expect(
    await read({ 'x/SKILL.md': 'a', 'x/scripts/b.py': 'b', '__MACOSX/x/._SKILL.md': '', 'x/.DS_Store': '' }),
  ).toEqual({
    folder: 'x',
    files: ['SKILL.md=a', 'scripts/b.py=b'],
  })
  expect(await read({ 'SKILL.md': 'a', 'x/SKILL.md': 'an example' })).toEqual({
    folder: undefined,
    files: ['SKILL.md=a', 'x/SKILL.md=an example'],
  })
})

test.each([
  ['no skill', { 'a.txt': '' }, /no SKILL.md/],
  ['several', { 'a/SKILL.md': '', 'b/SKILL.md': '' }, /several skills in the archive \(a, b\)/],
  ['files beside the folder', { 'a/SKILL.md': '', 'b.txt': '' }, /"b.txt" is not in the folder/],
  ['a path that climbs', { 'a/SKILL.md': '', 'a/../../x': '' }, /stay below the root/],
])('readSkillZip() refuses an archive with %s', async (_, files, message) => {
  await expect(read(files as Record<string, string>)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(message) as string,
  })
})
