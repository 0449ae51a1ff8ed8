import { CoherexError } from '@coherex/contract'
import type { Sandboxes } from '../../runs/index.ts'
import type { OpenedSkill } from './offered-skills.ts'

/** The folder of the home that loaded skills are in. No file of a workspace is laid out there. */
const skillsPlace = '.skills'

export const isInSkillsPlace = (path: string): boolean => path === skillsPlace || path.startsWith(`${skillsPlace}/`)

/**
 * Puts the files of a skill into a sandbox, whole and as they were approved, whatever was there before. They are read-only
 * against mistakes: code in the sandbox owns its home and could change them, for itself alone.
 */
export async function layOutSkill(
  sandboxes: Sandboxes,
  { teamId, sandboxId }: { teamId: string; sandboxId: string },
  { name, content }: OpenedSkill,
): Promise<string> {
  const folder = `${skillsPlace}/${name}`
  await sandboxes.use(teamId, sandboxId, async ({ inside }) => {
    const run = async (command: string) => {
      const { exited } = await inside.processes.start({ command })
      const { code } = await exited
      if (code !== 0) throw new CoherexError('conflict', `The skill "${name}" cannot be laid out in the sandbox`)
    }
    // a link that code left in its place is removed, not followed
    await run(
      `cd ~ && { [ ! -L ${skillsPlace} ] || rm -f ${skillsPlace}; } && { [ ! -d ${folder} ] || chmod -R u+w ${folder}; } && rm -rf ${folder}`,
    )
    for (const [path, bytes] of content) await inside.files.write(`${folder}/${path}`, toChunks(bytes))
    const programs = [...content].filter(([, bytes]) => bytes.subarray(0, 2).toString('latin1') === '#!')
    const marked = programs.map(([path]) => quote(`${folder}/${path}`)).join(' ')
    await run(`cd ~ && ${marked ? `chmod u+x -- ${marked} && ` : ''}chmod -R a-w ${folder}`)
  })
  return `~/${folder}`
}

async function* toChunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
