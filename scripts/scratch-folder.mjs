import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
/** Ten times what a whole run was seen to have there at once. */
const room = 2 * 1024 ** 3

/**
 * Where tests write what nobody keeps, open to all like /tmp. In memory where there is plenty: some disks take a
 * millisecond for each file, and a database that is made for a test has a thousand.
 *
 * @param {string} [chosen] the TMPDIR of whoever calls
 */
export function makeScratchFolder(chosen = process.env['TMPDIR']) {
  const parent = chosen || (isRoomy() ? memory : tmpdir())
  removeLeftovers(parent)
  const folder = mkdtempSync(join(parent, `coherex-${process.pid}-`))
  chmodSync(folder, 0o1777)
  return folder
}

function isRoomy() {
  const mount = existsSync('/proc/self/mounts')
    ? readFileSync('/proc/self/mounts', 'utf8')
        .split('\n')
        .map((line) => line.split(' '))
        .find(([, place]) => place === memory)
    : undefined
  const [, , type = '', options = ''] = mount ?? []
  // programs are put there and started
  if (type !== 'tmpfs' || /\b(ro|noexec)\b/.test(options)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > room && freemem() > 2 * room
}

/** Of runs that were killed: memory that nobody would give back. @param {string} parent */
function removeLeftovers(parent) {
  for (const name of readdirSync(parent)) {
    const [, pid] = /^coherex-(\d+)-\w{6}$/.exec(name) ?? []
    if (pid && !isAlive(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}
