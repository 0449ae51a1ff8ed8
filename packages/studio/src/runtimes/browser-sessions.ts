import { BrowserSession, type Progress, type RuntimeParts } from './browser-session.ts'

const runtimes: Record<string, { kind: string; parts: () => Promise<{ parts: RuntimeParts }> }> = {
  javascript: { kind: 'javascript', parts: () => import('./javascript/parts.ts') },
  typescript: { kind: 'javascript', parts: () => import('./javascript/parts.ts') },
  python: { kind: 'python', parts: () => import('./python/parts.ts') },
  sql: { kind: 'sql', parts: () => import('./sql/parts.ts') },
  r: { kind: 'r', parts: () => import('./r/parts.ts') },
}

// each has its own process or thread, and Python takes some 100 MB
const mostOpen = 4
interface Opened {
  opening: Promise<BrowserSession>
  /** Once it is there. */
  session?: BrowserSession
}
const open = new Map<string, Opened>()
const evicted = new Set<string>()
/** One of a kind that no conversation has taken yet. */
const warm = new Map<string, Promise<BrowserSession>>()

interface OpenOptions {
  onProgress?: (progress: Progress) => void
  signal?: AbortSignal
}

/** The session of a language in a conversation, where variables of its earlier blocks are. */
export async function sessionOf(place: string, language: string, options: OpenOptions): Promise<BrowserSession> {
  const runtime = runtimes[language]
  if (!runtime) throw new Error('The browser cannot run this language.')
  const key = `${place} ${runtime.kind}`
  const known = open.get(key)
  const session = await known?.opening.catch(() => undefined)
  if (known && session && !session.isClosed) {
    // the last of the map is the one that was used last
    open.delete(key)
    open.set(key, known)
    return session
  }
  const opened: Opened = { opening: takeWarm(runtime.kind).then((ready) => ready ?? openNew(language, options)) }
  open.set(key, opened)
  evictOldest(key)
  try {
    opened.session = await opened.opening
  } catch (error) {
    if (open.get(key) === opened) open.delete(key)
    throw error
  }
  if (evicted.delete(key)) opened.session.lost = 'evicted'
  return opened.session
}

/** Has a session of a language ready for whoever asks first. */
export function warmUp(language: string): void {
  const runtime = runtimes[language]
  if (!runtime || warm.has(runtime.kind) || [...open.keys()].some((key) => key.endsWith(` ${runtime.kind}`))) return
  const opening = openNew(language, {})
  warm.set(runtime.kind, opening)
  // the first run tries again, and says why it cannot
  opening.catch(() => warm.delete(runtime.kind))
}

/** The session of a language in a conversation, where it has one that answers. */
export async function openSessionOf(place: string, language: string): Promise<BrowserSession | undefined> {
  const session = await open.get(`${place} ${runtimes[language]?.kind}`)?.opening.catch(() => undefined)
  return session?.isClosed ? undefined : session
}

/** Forgets the variables of a language in a conversation. */
export async function resetSession(place: string, language: string): Promise<void> {
  const key = `${place} ${runtimes[language]?.kind}`
  const session = await open.get(key)?.opening.catch(() => undefined)
  open.delete(key)
  evicted.delete(key)
  session?.close()
}

async function openNew(language: string, options: OpenOptions): Promise<BrowserSession> {
  const { parts } = await (runtimes[language] as (typeof runtimes)[string]).parts()
  return BrowserSession.open(parts, options)
}

async function takeWarm(kind: string): Promise<BrowserSession | undefined> {
  const ready = warm.get(kind)
  warm.delete(kind)
  return ready?.catch(() => undefined)
}

/** Closes those that were used longest ago, except ones whose code runs: they may be one more for so long. */
function evictOldest(newest: string): void {
  for (const [key, { session }] of [...open]) {
    if (open.size <= mostOpen) return
    if (key === newest || !session || session.isRunning) continue
    open.delete(key)
    if (session.isClosed) continue
    evicted.add(key)
    session.close()
  }
}
