import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'

// a control group may be gone at any moment, and whether the kernel has a file depends on its version: not there is an answer

export function tryWrite(file: string, text: string): boolean {
  try {
    // never creates: in a control group every file that can be written is already there
    writeFileSync(file, text, { flag: 'r+' })
    return true
  } catch {
    return false
  }
}

export function tryRead(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

export function readNumber(file: string): number | undefined {
  const text = tryRead(file).trim()
  return /^\d+$/.test(text) ? Number(text) : undefined
}

export function tryMake(directory: string): boolean {
  try {
    mkdirSync(directory, { recursive: true })
    return true
  } catch {
    return false
  }
}

export function tryRemove(directory: string): boolean {
  try {
    rmdirSync(directory)
    return true
  } catch {
    return !existsSync(directory)
  }
}
