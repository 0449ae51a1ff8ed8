import type { McpConnection } from './mcp-connection.ts'

interface Kept {
  opening: Promise<McpConnection>
  idle?: NodeJS.Timeout
  uses: number
}

/** Connections that are used again, one for each server, closed when nobody has used them for a while. */
export function createMcpConnections({ idleMs = 60_000 }: { idleMs?: number } = {}) {
  const all = new Map<string, Kept>()

  const drop = async (key: string, kept: Kept): Promise<void> => {
    if (all.get(key) === kept) all.delete(key)
    clearTimeout(kept.idle)
    await kept.opening.then((connection) => connection.close()).catch(() => undefined) // told to who opened it
  }

  async function take(key: string, open: () => Promise<McpConnection>): Promise<Kept> {
    const known = all.get(key)
    if (known) {
      known.uses++
      clearTimeout(known.idle)
      const connection = await known.opening.catch(() => undefined)
      if (connection?.isOpen) return known
      known.uses--
      await drop(key, known)
      // whoever came here first has opened the next one
      if (all.has(key)) return take(key, open)
    }
    const made: Kept = { opening: open(), uses: 1 }
    all.set(key, made)
    return made
  }

  return {
    /** Works over the connection with this key, opened where there is none. */
    async use<T>(
      key: string,
      open: () => Promise<McpConnection>,
      work: (connection: McpConnection) => Promise<T>,
    ): Promise<T> {
      const kept = await take(key, open)
      try {
        return await work(await kept.opening)
      } finally {
        kept.uses--
        if (kept.uses === 0) {
          kept.idle = setTimeout(() => void drop(key, kept), idleMs)
          kept.idle.unref()
        }
      }
    },

    /** Ends those whose key begins so, whatever is under way. */
    async end(prefix: string): Promise<void> {
      await Promise.all([...all].filter(([key]) => key.startsWith(prefix)).map(([key, kept]) => drop(key, kept)))
    },
  }
}
