import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { readSettings } from '../config.ts'
import { checkPython } from './check-python.ts'
import { checkSandbox } from './check-sandbox.ts'
import { checkServer } from './check-server.ts'
import { thisMachine, type Machine } from './machine.ts'

/** This machine with some of its answers changed, as other systems give them. */
function machineWith(changes: {
  files?: Record<string, string>
  run?: (line: string) => { code: number | undefined; output: string } | undefined
  isRoot?: boolean
  platform?: string
  isWritable?: (path: string) => boolean
  freeMb?: number
}): Machine {
  const real = thisMachine()
  return {
    ...real,
    platform: changes.platform ?? 'linux',
    isRoot: changes.isRoot ?? false,
    read: async (path) => changes.files?.[path],
    exists: async (path) => changes.files?.[path] !== undefined,
    isWritable: async (path) => changes.isWritable?.(path) ?? true,
    freeMb: async () => changes.freeMb ?? 50_000,
    run: async (argv) => changes.run?.(argv.join(' ')) ?? { code: 0, output: 'bubblewrap 0.8.0' },
  }
}

const refused = { code: 1, output: 'bwrap: setting up uid map: Permission denied' }
const refusing = (line: string) => (line.includes('--unshare-all') ? refused : undefined)
const v2 = { '/sys/fs/cgroup/cgroup.controllers': 'cpu memory pids' }

test('without bubblewrap the doctor says how to get it', async () => {
  const machine = machineWith({ run: () => ({ code: undefined, output: '' }) })
  expect(await checkSandbox(machine)).toEqual([
    {
      name: 'bubblewrap',
      state: 'missing',
      found: 'not installed; no code runs on the server',
      fix: 'sudo apt-get install -y --no-install-recommends bubblewrap',
    },
  ])
})

test.each([
  ['Ubuntu', { '/proc/sys/kernel/apparmor_restrict_unprivileged_userns': '1' }, 'Ubuntu restricts it'],
  ['Debian 10', { '/proc/sys/kernel/unprivileged_userns_clone': '0' }, 'sysctl -w kernel.unprivileged_userns_clone=1'],
  ['a hardened system', { '/proc/sys/user/max_user_namespaces': '0' }, 'sysctl -w user.max_user_namespaces='],
  ['Docker', { '/.dockerenv': '' }, '--security-opt seccomp=unconfined'],
  ['Podman', { '/run/.containerenv': '' }, '--security-opt seccomp=unconfined'],
])('where %s forbids user namespaces the doctor says what to set', async (_system, files, advice) => {
  const findings = await checkSandbox(machineWith({ files: { ...v2, ...files }, run: refusing }))
  const finding = findings.find(({ name }) => name === 'user namespaces')
  expect(finding).toMatchObject({ state: 'missing', found: `refused: ${refused.output}` })
  expect(finding?.fix).toContain(advice)
})

test('a container that hides parts of /proc is told apart from one that forbids namespaces', async () => {
  const masked = { code: 1, output: "bwrap: Can't mount proc on /newroot/proc: Operation not permitted" }
  const machine = machineWith({
    files: { ...v2, '/.dockerenv': '' },
    run: (line) => (line.includes('--proc') ? masked : undefined),
  })
  const finding = (await checkSandbox(machine)).find(({ name }) => name === 'user namespaces')
  expect(finding?.fix).toBe('the container hides parts of /proc: start it with --security-opt systempaths=unconfined')
})

test('cgroups that are not ours make sandboxes weaker, not impossible', async () => {
  const machine = machineWith({ files: v2, isWritable: () => false })
  expect((await checkSandbox(machine)).find(({ name }) => name === 'cgroups')).toMatchObject({
    state: 'weak',
    found: 'version 2, not ours to use; memory and processes are bounded by rlimits and a watcher instead',
  })
})

test('a Mac is told where sandboxes run', async () => {
  expect(await checkSandbox(machineWith({ platform: 'darwin' }))).toMatchObject([
    { state: 'missing', found: 'none on darwin' },
  ])
})

test('missing Python modules are named with their packages', async () => {
  const output = JSON.stringify({ version: '3.11.2', system: { numpy: '1.24.2', matplotlib: '3.6.3' } })
  const machine = machineWith({ isRoot: true, run: () => ({ code: 0, output }) })
  expect(await checkPython(machine)).toEqual([
    { name: 'python', state: 'ok', found: '3.11.2' },
    {
      name: 'data stack',
      state: 'weak',
      found: 'without pandas, IPython',
      fix: 'npm start where an index of Python packages can be reached, else apt-get install -y --no-install-recommends python3-pandas python3-ipython',
    },
  ])
})

test('the doctor says which stack Python has, with its versions', async () => {
  const system = { numpy: '1.24.2', pandas: '1.5.3', matplotlib: '3.6.3', ipython: '8.5.0' }
  const locked = { numpy: '2.4.6', pandas: '3.1.1', matplotlib: '3.11.2', ipython: '9.18.1', tzdata: '2026.1' }
  const stackOf = async (answer: object) => {
    const run = () => ({ code: 0, output: JSON.stringify({ version: '3.11.2', ...answer }) })
    return (await checkPython(machineWith({ run })))[1]?.found
  }
  expect(await stackOf({ system, locked })).toBe(
    'numpy 2.4.6, pandas 3.1.1, matplotlib 3.11.2, ipython 9.18.1, of the lock',
  )
  expect(await stackOf({ system })).toBe('numpy 1.24.2, pandas 1.5.3, matplotlib 3.6.3, ipython 8.5.0, of the system')
})

test('without uv the doctor says what cannot be done', async () => {
  const files = { '/srv/coherex/packages/server/python/uv.lock': 'uv==0.13.8 \\' }
  const run = () => ({ code: 0, output: '{ "version": "3.11.2", "system": {} }' })
  const there = { '/srv/coherex/node_modules/.cache/python/uv-0.13.8/bin/uv': '' }
  const uvOf = async (more: Record<string, string>) =>
    (await checkPython(machineWith({ files: { ...files, ...more }, run }), { project: '/srv/coherex' })).at(-1)
  expect(await uvOf(there)).toEqual({ name: 'uv', state: 'ok', found: '0.13.8' })
  expect(await uvOf({})).toMatchObject({ state: 'weak', found: 'not installed; packages of Python cannot be added' })
})

test('a full disk and a data directory of someone else are missing', async () => {
  const machine = machineWith({ freeMb: 12, isWritable: () => false })
  const findings = await checkServer(machine, { ...readSettings('/'), port: 0 }, '/srv/coherex')
  expect(findings).toMatchObject([
    { name: 'node' },
    { name: 'data directory', state: 'missing' },
    { name: 'disk space', state: 'missing', found: '12 MB free' },
    { name: 'port 0' },
  ])
})

test.each([
  ['another program', 'hello', { state: 'missing', found: 'used by another program' }],
  ['Coherex', '{"status":"ok","version":"1.2.3","runtimes":[]}', { state: 'ok', found: 'Coherex 1.2.3 runs there' }],
])('a port that %s uses is recognised', async (_who, body, expected) => {
  const server = createServer((_request, response) => response.end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const findings = await checkServer(thisMachine(), { ...readSettings('/'), port }, undefined)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  expect(findings.at(-1)).toMatchObject(expected)
})

test('the probes are real: on this machine a sandbox is made or its refusal is explained', async () => {
  for (const { state, fix } of await checkSandbox(thisMachine())) expect(state === 'ok' || fix !== undefined).toBe(true)
})
