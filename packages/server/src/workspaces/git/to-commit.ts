import type { Author, WorkspaceVersion } from '@coherex/contract'
import type { NewCommit } from './git-task.ts'

/** Addresses of people stay here: in a repository they would be for all to read. */
const noReply = 'users.noreply.coherex.invalid'
const namedFiles = 3

/** Who, when and why of a version, as git says it. `first` is the first of several versions that become one commit. */
export function toCommit(
  version: WorkspaceVersion,
  { first }: { first?: number | undefined } = {},
): Omit<NewCommit, 'changes'> {
  const { author, coauthors, at, number } = version
  const others = coauthors.map((one) => `Co-authored-by: ${nameOf(one)} <${addressOf(one)}>`)
  const subject = first === undefined ? (version.message ?? describeChanges(version)) : `Versions ${first} to ${number}`
  const trailers = [`Coherex-Version: ${number}`, ...others]
  return {
    message: `${subject.trim()}\n\n${trailers.join('\n')}\n`,
    author: { name: nameOf(author), email: addressOf(author) },
    at: Math.floor(new Date(at).getTime() / 1000),
  }
}

function describeChanges({ changes, changeCount }: WorkspaceVersion): string {
  const named = changes.slice(0, namedFiles).map(({ path }) => path)
  const verbs = new Set(changes.map(({ change }) => change))
  const [only] = verbs
  const words = { added: 'Add', changed: 'Change', deleted: 'Delete', moved: 'Move' }
  const verb = verbs.size === 1 && only ? words[only] : 'Change'
  const more = changeCount - named.length
  return `${verb} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

// what ends a name or an address in a commit
const breaking = /[<>\n\r\u0000]/g

function nameOf({ name }: Author): string {
  return name.replaceAll(breaking, ' ').trim() || 'Someone'
}

function addressOf({ id }: Author): string {
  return `${id.replaceAll(/[^\w.-]/g, '-')}@${noReply}`
}
