import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { say } from './step.mjs'

/**
 * Started by root, the database and the sandboxes run as other users. Below a folder that is closed to others (/root, a
 * `mktemp -d`), they could not reach the project. Then the command runs in a mount namespace of its own, where the project
 * is also at /run/coherex/…: nothing outside that namespace changes, and it ends with the last process in it.
 *
 * @typedef {{ argv: string[], args?: string[], cwd: string, env: NodeJS.ProcessEnv }} Command `args` are passed on as they are
 * @param {Command} command paths in `argv` below `cwd`, which is the project, are moved along
 * @returns {Command}
 */
export function makeReachable(command) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return command
  const { cwd: project, env } = command
  const data = resolve(project, env['COHEREX_DATA_DIR'] || '.coherex')
  const dataIsInside = data.startsWith(`${project}/`)

  const hidden = [closedFolder(project), dataIsInside ? undefined : closedFolder(dirname(data))]
  if (!hidden[0] && !hidden[1]) return command
  if (spawnSync('unshare', ['--mount', 'true'], { stdio: 'ignore' }).status !== 0) {
    say(
      'warn',
      `Other users cannot enter ${hidden[0] ?? hidden[1]}, and mounting is not permitted here: move the folder or run chmod o+x on it, or the database and the sandboxes will not start`,
    )
    return command
  }

  // bound as a whole, these must be there before
  mkdirSync(data, { recursive: true, mode: 0o711 })
  const base = join('/run/coherex', createHash('sha256').update(`${project}\0${data}`).digest('hex').slice(0, 12))
  const app = hidden[0] ? join(base, 'app') : project
  const shownData = hidden[1] ? join(base, 'data') : undefined
  const moved = (/** @type {string} */ text) =>
    text.startsWith(`${project}/`) ? app + text.slice(project.length) : text

  return {
    argv: [
      ...['unshare', '--mount', '--propagation', 'slave', 'sh', '-ec', mountScript, 'sh'],
      ...[hidden[0] ? project : '', app, isClosed(project) ? 'each' : 'whole', shownData ? data : '', shownData ?? ''],
      ...command.argv.map(moved),
    ],
    args: command.args,
    cwd: '/',
    env: { ...env, PWD: app, ...(shownData ? { COHEREX_DATA_DIR: shownData } : {}) },
  }
}

// A folder that is closed itself stays closed when bound, so then its entries are bound into an open one.
const mountScript = `
project=$1 app=$2 how=$3 data=$4 shown=$5; shift 5
if [ -n "$project" ]; then
  mkdir -p -m 755 /run/coherex "\${app%/*}" "$app"
  if [ "$how" = whole ]; then mount --bind "$project" "$app"; else
    mount -t tmpfs -o mode=755,size=1m coherex "$app"
    for entry in "$project"/* "$project"/.[!.]*; do
      name=\${entry##*/}
      if [ -d "$entry" ] && [ ! -L "$entry" ]; then mkdir "$app/$name"
      elif [ -f "$entry" ]; then : > "$app/$name"
      else continue; fi
      mount --bind "$entry" "$app/$name"
    done
  fi
fi
if [ -n "$data" ]; then
  mkdir -p -m 755 /run/coherex "\${shown%/*}" "$shown"
  mount --bind "$data" "$shown"
fi
cd "$app"
exec "$@"`

/** The highest folder on the way to `path`, itself included, that other users cannot enter. @param {string} path */
function closedFolder(path) {
  /** @type {string | undefined} */
  let found
  for (let at = path; isAbsolute(at); at = dirname(at)) {
    if (isClosed(at)) found = at
    if (at === dirname(at)) break
  }
  return found
}

/** @param {string} path */
function isClosed(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && (stats.mode & 0o001) === 0
}
