import { watch } from 'node:fs'
import { sep } from 'node:path'
import { CoherexError, type ChangeEvent } from '@coherex/contract'
import { openSocket } from '../connect.ts'
import { isSynced } from './scan-folder.ts'
import { syncFolder, type SyncOptions } from './sync-folder.ts'

interface WatchOptions extends Omit<SyncOptions, 'way'> {
  signal: AbortSignal
  onProblem: (error: Error) => void
}

const quietMs = 250
/** Asked this often even when nobody says that something changed: file events get lost, and so do sockets. */
const pollMs = 20_000

/** What no later try mends: the workspace is gone, or the key may not use it any more. */
const isFinal = new Set(['unauthenticated', 'forbidden', 'not_found'])

/** Keeps a folder and a workspace the same until it is stopped. One sync at a time; a sync that fails is tried again. */
export async function watchFolder({ signal, onProblem, ...options }: WatchOptions): Promise<void> {
  let wanted = true
  let wake = () => {}
  const want = () => {
    wanted = true
    wake()
  }
  const local = watch(options.folder, { recursive: true, signal }, (_event, name) => {
    // what a sync itself keeps beside the files is no reason for another
    if (name === null || isSynced(name.split(sep).join('/'))) want()
  })
  local.on('error', (error) => !signal.aborted && onProblem(error))
  const stopListening = listen(options, want)
  try {
    while (!signal.aborted) {
      if (!wanted) await pause(pollMs, signal, (resume) => (wake = resume))
      if (signal.aborted) return
      // whoever saves ten files saves them within this time
      await pause(quietMs, signal)
      wanted = false
      await syncFolder({ ...options, way: 'both' }).catch((error: Error) => {
        if (error instanceof CoherexError && isFinal.has(error.code)) throw error
        onProblem(error)
      })
    }
  } finally {
    stopListening()
  }
}

/** Hears when the workspace changes, over as many connections as that takes. */
function listen({ connection, state }: Pick<SyncOptions, 'connection' | 'state'>, want: () => void): () => void {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let socket = connect()
  function connect() {
    const made = openSocket(connection, '/events')
    // what changed while nobody listened is unknown
    made.on('open', want)
    made.on('message', (data: Buffer) => {
      const { type, id } = JSON.parse(data.toString()) as ChangeEvent
      if (id === state.workspaceId && (type === 'version-made' || type === 'file-changed')) want()
    })
    // `close` follows
    made.on('error', () => undefined)
    made.on('close', () => {
      if (!stopped) timer = setTimeout(() => (socket = connect()), 3000)
    })
    return made
  }
  return () => {
    stopped = true
    clearTimeout(timer)
    socket.close()
  }
}

function pause(ms: number, signal: AbortSignal, onWait?: (resume: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    onWait?.(end)
    if (signal.aborted) end()
  })
}
