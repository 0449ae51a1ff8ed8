/** A program that a package installs: a function of one of its modules. */
export interface ConsoleScript {
  name: string
  module: string
  call: string
}

const line = /^([A-Za-z0-9][\w.-]{0,100})\s*=\s*([\w.]{1,200})\s*:\s*([\w.]{1,200})\s*(?:\[[^\]]*\])?\s*$/

/** Of entry_points.txt; what has a name or function that no program has is left out. */
export function consoleScripts(text: string): ConsoleScript[] {
  const scripts: ConsoleScript[] = []
  let isInside = false
  for (const raw of text.slice(0, 1_000_000).split(/\r?\n/)) {
    const trimmed = raw.trim()
    if (trimmed.startsWith('[')) isInside = /^\[(?:console|gui)_scripts\]$/.test(trimmed)
    const [, name, module, call] = (isInside && line.exec(trimmed)) || []
    if (name && module && call && scripts.length < 500) scripts.push({ name, module, call })
  }
  return scripts
}

/** It finds its own set wherever that is, also where nobody told Python about it. */
export function scriptText({ module, call }: ConsoleScript): string {
  const [first = ''] = call.split('.')
  return `#!/usr/bin/env python3
import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "site"))
from ${module} import ${first}
if __name__ == "__main__":
    sys.exit(${call}())
`
}
