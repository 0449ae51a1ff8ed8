import { CoherexError, routes } from '@coherex/contract'
import { collectPages } from '../collect-pages.ts'
import type { Connection } from '../connect.ts'
import { print, type Context, type JsonOption } from '../context.ts'
import { showControls } from '../guest-text.ts'

export interface DecideOptions extends JsonOption {
  note: string
  /** It was looked at. */
  yes?: boolean
}

interface SkillDecision {
  name: string
  /** The newest proposal unless said. */
  version: number | undefined
  decision: 'approve' | 'reject'
  options: DecideOptions
}

/** Approves or rejects a proposed version of a skill; without `--yes` an approval only shows what it would change. */
export async function decideSkill(
  context: Context,
  { client }: Pick<Connection, 'client'>,
  { name, version, decision, options }: SkillDecision,
): Promise<void> {
  const proposed = await findProposal({ client }, name, version)
  const params = { name, version: proposed.version }
  if (decision === 'approve' && !options.yes) {
    const { activeVersion } = await client(routes.skills.get, { params: { name } })
    const query = { from: activeVersion ?? 0, to: proposed.version }
    const { diff } = await client(routes.skills.diff, { params: { name }, query })
    print(context, options, { ...proposed, diff }, () => showControls(diff.trimEnd()))
    return context.terminal.note(`Nothing is decided yet: add --yes to approve version ${proposed.version}`)
  }
  const body = { decision, digest: proposed.digest, note: options.note }
  const skill = await client(routes.skills.decide, { params, body })
  const done = decision === 'approve' ? 'approved: agents get it' : 'rejected'
  print(context, options, skill, () => `Version ${proposed.version} of ${name} is ${done}`)
}

async function findProposal({ client }: Pick<Connection, 'client'>, name: string, version: number | undefined) {
  if (version !== undefined) return client(routes.skills.version, { params: { name, version } })
  const versions = await collectPages((query) => client(routes.skills.versions, { params: { name }, query }))
  const newest = versions.find(({ state }) => state === 'proposed')
  if (!newest) throw new CoherexError('not_found', `No version of "${name}" waits for a person`)
  return newest
}
