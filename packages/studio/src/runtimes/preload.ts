import { readStored, writeStored } from '../ui/state/stored.ts'

const key = (language: string) => `browser-run-at.${language}`
const rememberedMs = 30 * 24 * 60 * 60_000

/** Remembers that this browser ran a language. */
export function rememberUse(language: string): void {
  writeStored(key(language), String(Date.now()))
}

/** Gets a language ready while the page has nothing to do, where this browser ran it in the last month. */
export function preloadWhenIdle(language: string): () => void {
  const usedAt = Number(readStored(key(language)) ?? 0)
  if (Date.now() - usedAt > rememberedMs || typeof requestIdleCallback === 'undefined') return () => undefined
  const id = requestIdleCallback(() => void import('./browser-sessions.ts').then(({ warmUp }) => warmUp(language)), {
    timeout: 20_000,
  })
  return () => cancelIdleCallback(id)
}
