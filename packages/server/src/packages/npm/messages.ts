// Runs on both sides: in the server and, from this very file, in the sandbox that resolves.

/** What the sandbox is to find out. */
export type NpmTask =
  | {
      kind: 'resolve'
      /** Ranges by name. */
      dependencies: Record<string, string>
      /** Releases after this moment do not exist. */
      before?: string
      /** Whether a registry may leave out when something was released. */
      mayLackTimes: boolean
      /** The text of a package-lock.json. */
      lockFile?: string
    }
  | { kind: 'info'; name: string }

/** From the sandbox: it has no network and asks for each document. */
export type NpmQuestion =
  | { type: 'ask'; id: number; name: string; isWhole: boolean }
  | { type: 'done'; answer: unknown }
  | { type: 'failed'; why: NpmFailure; message: string }

/** To the sandbox: the task first, then documents in pieces. */
export type NpmAnswer =
  | { type: 'task'; task: NpmTask }
  | { type: 'head'; id: number; status: number; encoding: string }
  | { type: 'data'; id: number; base64: string }
  | { type: 'end'; id: number }
  | { type: 'lost'; id: number }

export type NpmFailure = 'missing' | 'no-version' | 'conflict' | 'untimed' | 'lock' | 'refused' | 'lost' | 'other'

export const npmFailures: readonly NpmFailure[] = [
  'missing',
  'no-version',
  'conflict',
  'untimed',
  'lock',
  'refused',
  'lost',
  'other',
]
