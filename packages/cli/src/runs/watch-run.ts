import { followRun, routes, type FollowOptions, type RunEvent, type RunRequest } from '@coherex/contract'
import type { Connection } from '../connect.ts'
import type { Terminal } from '../terminal.ts'

/** Follows a run, and tells the person when the connection broke and what to do when the server stays away. */
export async function* watchRun(
  connection: Pick<Connection, 'open' | 'client'>,
  what: RunRequest | string,
  { note, ...options }: Pick<Terminal, 'note'> & FollowOptions,
): AsyncGenerator<RunEvent> {
  let id = typeof what === 'string' ? what : undefined
  const describeLoss = () =>
    id === undefined
      ? 'The connection broke before the run had an id; coherex runs list shows whether it began'
      : `The server is gone; coherex runs logs ${id} -f shows the run when it is back`
  const onLost = (failures: number) => {
    if (failures === 1) note('coherex: the connection broke; trying to go on')
  }
  const words = { patienceMs: 60_000, describeLoss, onLost }
  for await (const event of followRun({ ...connection, routes }, what, { ...words, ...options })) {
    if (event.type === 'run-start') id = event.run.id
    yield event
  }
}
