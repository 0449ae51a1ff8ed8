import { spawn, spawnSync } from 'node:child_process'
import { constants } from 'node:os'

/**
 * Makes this process the given command. With Node ≥ 22.15 that is an exec: no process of ours stays between the terminal
 * and the server, so signals, exit code and kill -9 are the server's own. An older Node (only the first start, before the
 * packages brought a newer one) waits beside it and passes signals and the exit code on; if it is killed, the server goes
 * on undisturbed, because it holds its own lock on the data directory and the next start says so.
 *
 * @param {import('./reachable.mjs').Command} command
 * @returns {Promise<number>} the exit code
 */
export async function handOver({ argv, args: further = [], cwd, env }) {
  const [program = '', ...args] = [...argv, ...further]
  // exec starts in this process's folder
  process.chdir(cwd)
  if (typeof process.execve === 'function') {
    process.execve(absolute(program), [program, ...args], definedOnly(env))
  }
  for (const signal of signals) process.removeAllListeners(signal)
  const child = spawn(program, args, { env, stdio: 'inherit' })
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    child.once('error', () => resolve(127))
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']))
  })
}

/** @type {NodeJS.Signals[]} */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** @param {string} program */
function absolute(program) {
  if (program.startsWith('/')) return program
  return spawnSync('/bin/sh', ['-c', 'command -v "$0"', program], { encoding: 'utf8' }).stdout.trim()
}

/** @param {NodeJS.ProcessEnv} env */
function definedOnly(env) {
  return /** @type {Record<string, string>} */ (
    Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
  )
}
