import { useState } from 'react'
import type { Right } from '../data/access/rights.ts'
import { whyNotInBrowser } from '../runtimes/browser-languages.ts'
import { readStored, writeStored } from '../ui/state/stored.ts'

export type RunPlace = 'browser' | 'server'

/** Where a language runs: as chosen last, or where it is best at. */
export function useRunPlace(language: string, right: Right) {
  const key = `run-in.${language}`
  const [picked, setPicked] = useState(() => readStored(key))
  const whyNot = { browser: whyNotInBrowser(language), server: right.why }
  // Python on the server has packages, and what the agent made; the browser has the rest at once
  const best: RunPlace = language === 'python' ? 'server' : 'browser'
  const wanted = picked === 'browser' || picked === 'server' ? picked : best
  const other: RunPlace = wanted === 'browser' ? 'server' : 'browser'
  const place: RunPlace = whyNot[wanted] === undefined || whyNot[other] !== undefined ? wanted : other
  return {
    place,
    whyNot,
    choose(next: RunPlace) {
      setPicked(next)
      writeStored(key, next)
    },
  }
}

export const placeWords: Record<RunPlace, string> = {
  browser: 'In this browser: at once, without a network. Its variables last as long as the page.',
  server: 'On the server, in the sandbox of this conversation: with packages, files and what the agent made.',
}
