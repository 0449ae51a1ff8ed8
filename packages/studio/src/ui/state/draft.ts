import { useState } from 'react'
import { forgetStored, readOwn, readStored, writeOwn, writeStored } from './stored.ts'

const draftPrefix = 'draft.'

/**
 * State of a form that survives a reload, under its name; without a name it lives as long as the form. Fields that are
 * `secret` are never stored. `forget` is called when the form was sent or given up.
 */
export function useDraft<Value extends object>(
  name: string | undefined,
  initial: Value,
  secret: readonly (keyof Value)[] = [],
) {
  const key = name === undefined ? undefined : draftPrefix + name
  const [value, setValue] = useState<Value>(() => ({ ...initial, ...(key && readDraft(key)) }))

  function store(next: Value | undefined) {
    if (key === undefined) return
    const open = next && Object.entries(next).filter(([name]) => !secret.includes(name as keyof Value))
    writeStored(key, open && JSON.stringify(Object.fromEntries(open)))
  }
  function change(part: Partial<Value>) {
    const next = { ...value, ...part }
    setValue(next)
    store(next)
  }
  function forget(then: Value = initial) {
    setValue(then)
    store(undefined)
  }
  /** Forgets what was sent, once that is stored; what was typed since then stays, with `kept`. */
  function forgetSent(sent: Partial<Value>, kept: Partial<Value> = {}) {
    setValue((now) => {
      const isSame = Object.entries(sent).every(([name, part]) => now[name as keyof Value] === part)
      const next = isSame ? initial : { ...now, ...kept }
      store(isSame ? undefined : next)
      return next
    })
  }
  return { value, change, forget, forgetSent }
}

/** Has the form of that name begin with this. */
export function layDraft(name: string, value: object): void {
  writeStored(draftPrefix + name, JSON.stringify(value))
}

/** The draft of that name, for something that saves by itself; empty where there is none. */
export function findDraft(name: string): object {
  return readDraft(draftPrefix + name)
}

export function forgetDraft(name: string): void {
  writeStored(draftPrefix + name, undefined)
}

export function forgetDrafts(): void {
  forgetStored(draftPrefix)
}

/** Drafts belong to a person: the next one at this browser does not see them, in none of its windows. */
export function keepDraftsOf(personId: string): void {
  if (readOwn('drafts-of') !== personId) forgetDrafts()
  writeOwn('drafts-of', personId)
}

function readDraft(key: string): object {
  try {
    const draft: unknown = JSON.parse(readStored(key) ?? '{}')
    return typeof draft === 'object' && draft !== null ? draft : {}
  } catch {
    // a draft of another version of the form is worth nothing
    return {}
  }
}
