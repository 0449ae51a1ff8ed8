import { CoherexError, skillLimits } from '@coherex/contract'
import { readZip } from '../../workspaces/index.ts'
import type { Folder } from '../definition/folder.ts'
import { instructionsPath } from './parse-front-matter.ts'

// what systems put into archives beside the files
const litter = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/

/** The one skill of a zip, with the folder it is in; one at the root has none. */
export async function readSkillZip(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ folder: string | undefined; content: Folder }> {
  const limits = { bytes: skillLimits.bytes * 2, files: skillLimits.files * 3 }
  const files = (await readZip(chunks, limits)).filter(({ path }) => !litter.test(path))
  const roots = files.flatMap(({ path }) => {
    const parts = path.split('/')
    return parts.at(-1) === instructionsPath && parts.length <= 2 ? parts.slice(0, -1).join('/') : []
  })
  const [root] = roots
  if (root === undefined) {
    throw new CoherexError(
      'invalid_input',
      `There is no ${instructionsPath} at the root of the archive or in its folder`,
    )
  }
  const isAtRoot = roots.includes('')
  if (!isAtRoot && roots.length > 1) {
    throw new CoherexError(
      'invalid_input',
      `There are several skills in the archive (${roots.join(', ')}): send them one by one`,
    )
  }
  const prefix = isAtRoot ? '' : `${root}/`
  const outside = files.find(({ path }) => !path.startsWith(prefix))
  if (outside) {
    throw new CoherexError(
      'invalid_input',
      `"${outside.path.slice(0, 100)}" is not in the folder of the skill, ${root}`,
    )
  }
  const content = new Map(files.map(({ path, bytes }) => [path.slice(prefix.length), Buffer.from(bytes)]))
  return { folder: isAtRoot ? undefined : root, content }
}
