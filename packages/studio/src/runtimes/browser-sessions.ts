import { BrowserSession, type Progress, type RuntimeParts } from './browser-session.ts'

const runtimes: Record<string, { kind: string; parts: () => Promise<{ parts: RuntimeParts }> }> = {
  javascript: { kind: 'javascript', parts: () => import('./javascript/parts.ts') },
  typescript: { kind: 'javascript', parts: () => import('./javascript/parts.ts') },
  python: { kind: 'python', parts: () => import('./python/parts.ts') },
  sql: { kind: 'sql', parts: () => import('./sql/parts.ts') },
}

// each has its own process or thread, and Python takes some 100 MB
const mostOpen = 4
const open = new Map<string, Promise<BrowserSession>>()

/** The session of a language in a conversation, where variables of its earlier blocks are. */
export async function sessionOf(
  place: string,
  language: string,
  options: { onProgress: (progress: Progress) => void; signal: AbortSignal },
): Promise<BrowserSession> {
  const runtime = runtimes[language]
  if (!runtime) throw new Error('The browser cannot run this language.')
  const key = `${place} ${runtime.kind}`
  const known = await open.get(key)?.catch(() => undefined)
  if (known && !known.isClosed) {
    const kept = Promise.resolve(known)
    open.delete(key)
    open.set(key, kept)
    return kept
  }
  const opening = runtime.parts().then(({ parts }) => BrowserSession.open(parts, options))
  open.set(key, opening)
  opening.catch(() => open.get(key) === opening && open.delete(key))
  for (const [oldest, session] of [...open].slice(0, Math.max(0, open.size - mostOpen))) {
    open.delete(oldest)
    void session.then((one) => one.close()).catch(() => undefined)
  }
  return opening
}

/** Forgets the variables of a language in a conversation. */
export async function resetSession(place: string, language: string): Promise<void> {
  const key = `${place} ${runtimes[language]?.kind}`
  const session = await open.get(key)?.catch(() => undefined)
  open.delete(key)
  session?.close()
}
