import { text } from './text.ts'

export const idPrefixes = {
  person: 'per',
  team: 'team',
  invitation: 'inv',
  key: 'key',
  session: 'ses',
  audit: 'aud',
  secret: 'sec',
  run: 'run',
  sandbox: 'sbx',
  cell: 'cel',
  thread: 'thr',
  turn: 'turn',
  message: 'msg',
  attachment: 'att',
  artifact: 'art',
  share: 'shr',
  workspace: 'wsp',
  proposal: 'prp',
  approval: 'apr',
  trigger: 'trg',
  delivery: 'dlv',
  wake: 'wak',
  review: 'rev',
} as const

export type IdKind = keyof typeof idPrefixes

/** An id such as `run_0vt3k…`: the prefix tells what it names. */
export function idOf(kind: IdKind) {
  return text().regex(new RegExp(`^${idPrefixes[kind]}_[0-9a-z]{20,32}$`), `not a ${kind} id`)
}
