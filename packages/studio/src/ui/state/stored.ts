const prefix = 'coherex.'

/** What this browser remembers; undefined when nothing is stored or storage is blocked. */
export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(prefix + key) ?? undefined
  } catch {
    return undefined
  }
}

export function writeStored(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(prefix + key)
    else localStorage.setItem(prefix + key, value)
  } catch {
    // blocked or full storage only costs the memory of a choice
  }
}

/** What this window remembers, or else the last of all windows: two beside each other keep each its own. */
export function readOwn(key: string): string | undefined {
  try {
    return sessionStorage.getItem(prefix + key) ?? readStored(key)
  } catch {
    return readStored(key)
  }
}

export function writeOwn(key: string, value: string | undefined): void {
  writeStored(key, value)
  try {
    if (value === undefined) sessionStorage.removeItem(prefix + key)
    else sessionStorage.setItem(prefix + key, value)
  } catch {
    // as above
  }
}

export function forgetStored(keyPrefix: string): void {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage)) if (key.startsWith(prefix + keyPrefix)) storage.removeItem(key)
    }
  } catch {
    // as above
  }
}

/** The ends of all keys that begin so. */
export function storedNames(keyPrefix: string): string[] {
  try {
    const start = prefix + keyPrefix
    return Object.keys(localStorage).flatMap((key) => (key.startsWith(start) ? [key.slice(start.length)] : []))
  } catch {
    return []
  }
}
