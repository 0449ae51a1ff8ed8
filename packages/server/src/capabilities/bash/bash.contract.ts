import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { watchTicks } from '../../../tests/harness/load/watch-ticks.ts'
import { createEgress, teamRules } from '../../egress/index.ts'
import { createCapabilities, type Allowances } from '../create-capabilities.ts'
import type { FileSpace } from '../files/file-space.ts'
import { createMemoryFileSpace } from '../files/memory-file-space.ts'
import type { BashLimits } from './bash-capability.ts'
import { createShellPool, type ShellPool } from './shell-pool.ts'
import { type LaunchedShell, type LaunchShell, shellLaunchSpec } from './shell-process.ts'
import type { ShellResult } from './shell.ts'

/** What BASH does, wherever its process runs. Rules: SPEC.md, BASH. */
export function describeBash(
  name: string,
  setUp: () => Promise<{ launch: LaunchShell; close(): Promise<void> }>,
): void {
  describe(`BASH in ${name}`, () => {
    let pool: ShellPool
    let tearDown: () => Promise<void>
    const launched: LaunchedShell[] = []
    const open: (() => Promise<void>)[] = []

    beforeAll(async () => {
      const { launch, close } = await setUp()
      tearDown = close
      const watched: LaunchShell = async (spec) => {
        const shell = await launch(spec)
        launched.push(shell)
        return shell
      }
      pool = createShellPool({ launch: watched, spec: shellLaunchSpec({ node: process.execPath }) })
    })
    afterEach(async () => {
      await Promise.all(open.splice(0).map((close) => close()))
    })
    afterAll(async () => {
      await pool.close()
      // nothing may be left: this hangs, and fails, when a shell outlives its run and its pool
      await Promise.all(launched.map(({ ended }) => ended))
      await tearDown()
    })

    function start(options: { space?: FileSpace; limits?: Partial<BashLimits>; grants?: Allowances } = {}) {
      const space = options.space ?? createMemoryFileSpace()
      const bash = { pool, ...(options.limits && { limits: options.limits }) }
      const { capabilities, close } = createCapabilities({ files: space, bash, ...options.grants })
      open.push(close)
      const controller = new AbortController()
      const call = (method: string, ...args: unknown[]) => {
        const found = capabilities['BASH']?.methods[method]
        if (!found) throw new Error(`no BASH.${method}`)
        return found(args, controller.signal)
      }
      const exec = (command: string, execOptions?: object) =>
        call('exec', command, ...(execOptions ? [execOptions] : [])) as Promise<ShellResult>
      return { space, call, exec, close, cancel: () => controller.abort(), capabilities }
    }

    it('gives stdout, stderr and the exit code', async () => {
      const { exec } = start()
      expect(await exec('echo héllo; echo no >&2; exit 3')).toMatchObject({
        stdout: 'héllo\n',
        stderr: 'no\n',
        exitCode: 3,
        timedOut: false,
        truncated: false,
      })
      expect(await exec('printf "b\\na\\n" | sort | tr a-z A-Z && false || echo $?')).toMatchObject({
        stdout: 'A\nB\n1\n',
        exitCode: 0,
      })
      expect(await exec('nosuchcommand')).toMatchObject({ exitCode: 127 })
      expect((await exec('if then')).exitCode).not.toBe(0)
    })

    it('works on the same files as FILES', async () => {
      const { exec, call, space } = start()
      await space.write('in/data.json', Buffer.from('{"a":[1,2,3]}'))
      expect(
        await exec(
          'jq -c .a in/data.json > out.json; mkdir -p x/y; cp out.json x/y/; mv x/y/out.json x/z.json; rm out.json; rmdir x/y; touch t; chmod +x t',
        ),
      ).toMatchObject({ exitCode: 0, stderr: '' })
      expect(await call('listFiles')).toEqual([
        { path: '/in/data.json', size: 13 },
        { path: '/t', size: 0 },
        { path: '/x/z.json', size: 8 },
      ])
      expect(await call('readFile', 'x/z.json')).toBe('[1,2,3]\n')
      await call('writeFile', 'b.bin', '//4A', { encoding: 'base64' })
      expect(await exec('cp b.bin c.bin; cat b.bin >> c.bin; wc -c < c.bin; ls /; rm -r x in; ls')).toMatchObject({
        stdout: '6\nb.bin\nc.bin\nin\nt\nx\nb.bin\nc.bin\nt\n',
      })
      expect(await call('readFile', 'c.bin', { encoding: 'base64' })).toBe('//4A//4A')
      expect(await exec('cat missing; cat /')).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('No such file or directory'),
      })
    })

    it('takes cwd, env and stdin, and forgets variables between commands', async () => {
      const { exec, space } = start({ grants: { vars: { RUN_VAR: 'run' } } })
      await space.mkdir('/work/dir', { recursive: true })
      expect(
        await exec('pwd; echo $X $RUN_VAR; cat; Y=1; echo f > f', { cwd: 'work/dir', env: { X: 'x' }, stdin: 'in ☃' }),
      ).toMatchObject({
        stdout: '/work/dir\nx run\nin ☃',
      })
      expect(await exec('pwd; echo "[$X$Y]"; cat work/dir/f')).toMatchObject({ stdout: '/\n[]\nf\n' })
      await expect(exec('true', { cwd: 'nowhere' })).rejects.toMatchObject({ code: 'ENOENT' })
      await expect(exec('true', { cwd: '../..' })).rejects.toMatchObject({ code: 'EINVAL' })
      await expect(exec('true', { cwd: 'work/dir/f' })).rejects.toMatchObject({ code: 'ENOTDIR' })
    })

    it.each([
      [[]],
      [[5]],
      [['true', { cwd: 5 }]],
      [['true', { env: { A: 1 } }]],
      [['true', { env: { 'a=b': 'x' } }]],
      [['true', { timeoutMs: 0 }]],
      [['true', { timeoutMs: 1e9 }]],
      [['true', { shell: '/bin/sh' }]],
    ])('refuses the arguments %j', async (args) => {
      await expect(start().call('exec', ...args)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    })

    it('counts variables before it looks at them', async () => {
      const env = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`x${at}`, 'y']))
      await expect(start().call('exec', 'true', { env })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: 'Cannot call BASH.exec(): argument 2, env: More than 1000 names',
      })
    })

    it('refuses a command of more than a million characters', async () => {
      await expect(start().exec('x'.repeat(1_000_001))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    })

    it('sees nothing of the host: no files, no environment, no programs, no network', async () => {
      const { exec } = start()
      const probe =
        'cat /etc/passwd /proc/self/environ /opt/coherex/package.json ../../../etc/hostname; ls /etc /opt /root; /usr/bin/id; /bin/sh -c "echo $0"; curl -s http://127.0.0.1/; env; node -e 1; python3 -c 1'
      const { stdout, stderr } = await exec(probe)
      expect(stdout).not.toMatch(/root:|PATH=\/(usr\/local|root)|coherex|uid=0/)
      expect(stderr).toContain('/etc/passwd: No such file or directory')
      expect(stderr).toContain('curl: command not found')
    })

    it('cannot plant links or climb', async () => {
      const { exec, call } = start()
      expect((await exec('ln -s /etc/passwd p')).exitCode).not.toBe(0)
      expect((await exec('ln -s / d')).exitCode).not.toBe(0)
      await exec('echo x > ../../../../escaped; cd ../../..; pwd > here')
      expect(await call('listFiles')).toEqual([
        { path: '/escaped', size: 2 },
        { path: '/here', size: 2 },
      ])
    })

    it('splits a file into pieces, and says that there are no links', async () => {
      const { exec, call } = start()
      expect(await exec('printf "a\\nb\\nc\\n" > f; split -l 2 f part_; split -b 4 f b.')).toMatchObject({
        exitCode: 0,
        stderr: '',
      })
      expect(await call('readFile', 'part_ab')).toBe('c\n')
      expect(await call('readFile', 'b.aa')).toBe('a\nb\n')
      for (const command of ['ln f g', 'ln -s f g']) {
        expect(await exec(command)).toMatchObject({
          exitCode: 1,
          stderr: expect.stringContaining('there are no links here'),
        })
      }
    })

    it('holds the quota of the space', async () => {
      const space = createMemoryFileSpace({ quota: { maxBytes: 10_000, maxFiles: 20 } })
      const { exec } = start({ space })
      expect((await exec('for i in $(seq 1 100); do echo x > f$i; done')).exitCode).not.toBe(0)
      expect((await space.readdir('/')).length).toBeLessThanOrEqual(20)
      await exec('rm f*; while echo 0123456789012345678901234567890123456789 >> grow; do :; done')
      expect((await space.stat('grow')).size).toBeLessThanOrEqual(10_000)
    })

    it('a loop, a recursion or an expansion without end is ended by its count', { timeout: 240_000 }, async () => {
      const { exec } = start()
      for (const command of [
        'while true; do :; done',
        'f(){ f; }; f',
        'x=a; while true; do x=$x$x; done',
        'echo {1..100000000} | wc -c',
        'awk "BEGIN{while(1){i++}}"',
        'jq -n "[range(1e9)]|length"',
        'printf "%1000000000d" 1',
        'seq 1 1000000000 | sort | tail -1',
        'bash -c "$0" "$0"; eval eval eval "while :; do :; done"',
      ]) {
        const result = await exec(command, { timeoutMs: 20_000 })
        expect(result.exitCode, command).not.toBe(0)
        expect(result.stderr, command).not.toMatch(/node_modules|\/opt\/coherex|at .*\.js:/)
      }
      expect(await exec('echo still here')).toMatchObject({ stdout: 'still here\n' })
    })

    it('R04: a catastrophic pattern costs nothing, in every command that takes one', async () => {
      const { exec } = start()
      const text = `${'a'.repeat(40)}!`
      for (const command of [
        `echo '${text}' | grep -E '^(a+)+$'`,
        `echo '${text}' | grep -P '^(a|a)*$'`,
        `echo '${text}' | sed -E 's/^(a+)+$/x/'`,
        `echo '${text}' | awk '/^(a|aa)+$/{print}'`,
        `[[ '${text}' =~ ^(a+)+$ ]]`,
        `jq -n '"${text}" | test("^(a+)+$")'`,
        `case '${text}' in +(+(a))) echo;; esac`,
        `touch '${text}'; ls a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b; find . -regex '.*(a+)+$'`,
      ]) {
        const { timedOut } = await exec(command)
        expect([command, timedOut]).toEqual([command, false])
      }
    })

    it('a command that sleeps or waits ends at its time', async () => {
      const { exec } = start()
      expect(await exec('echo before; sleep 60', { timeoutMs: 500 })).toMatchObject({ exitCode: 124, timedOut: true })
      expect(await exec('echo after')).toMatchObject({ stdout: 'after\n' })
    })

    it('output over the limit is cut', async () => {
      const { exec } = start({ limits: { outputBytes: 1_000 } })
      const result = await exec('for i in $(seq 1 150); do echo 0123456789; done; echo end >&2')
      expect(result.truncated).toBe(true)
      expect(Buffer.byteLength(result.stdout + result.stderr)).toBeLessThanOrEqual(1_000)
      const flood = await exec('for i in $(seq 1 90000); do echo 01234567890123456789; done')
      expect(Buffer.byteLength(flood.stdout + flood.stderr)).toBeLessThanOrEqual(1_000)
      expect(flood.exitCode).not.toBe(0)
    })

    it('runs so many commands and no more, one after the other', async () => {
      const { exec } = start({ limits: { maxExecs: 3 } })
      const three = await Promise.all(['1', '2', '3'].map((n) => exec(`echo ${n} >> order; echo ${n}`)))
      expect(three.map(({ stdout }) => stdout)).toEqual(['1\n', '2\n', '3\n'])
      await expect(exec('true')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    })

    it('counts the commands that are asked for at once, too', async () => {
      const { exec } = start({ limits: { maxExecs: 2 } })
      const all = await Promise.allSettled(['1', '2', '3'].map((n) => exec(`echo ${n}`)))
      expect(all).toMatchObject([
        { value: { stdout: '1\n' } },
        { value: { stdout: '2\n' } },
        { reason: { code: 'LIMIT_EXCEEDED' } },
      ])
    })

    it('the end of the run ends the command and the process', async () => {
      const { exec, close } = start()
      const waiting = exec('sleep 20', { timeoutMs: 20_000 })
      const first = exec('true').catch((error: unknown) => error)
      setTimeout(() => void close(), 300)
      await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' })
      expect(await first).toMatchObject({ code: 'CANCELLED' })
    })

    it('a cancelled call is ended and the next has a new process', async () => {
      const { exec, cancel, space } = start()
      const waiting = exec('sleep 20', { timeoutMs: 20_000 })
      setTimeout(cancel, 300)
      await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' })
      const next = start({ space })
      expect(await next.exec('echo ok')).toMatchObject({ stdout: 'ok\n' })
    })

    it('a call that is cancelled before its process is there never runs', async () => {
      const { exec, cancel } = start()
      const waiting = exec('sleep 20', { timeoutMs: 20_000 })
      await Promise.resolve()
      cancel()
      const began = performance.now()
      await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' })
      expect(performance.now() - began).toBeLessThan(15_000)
    })

    it('two runs never see each other', async () => {
      const [one, two] = [start(), start()]
      await Promise.all([one.exec('echo one > f; export V=1'), two.exec('echo two > f')])
      expect(await two.exec('cat f; echo "[$V]"; ls /bin/../')).toMatchObject({ stdout: 'two\n[]\nf\n' })
      expect(await one.exec('cat f')).toMatchObject({ stdout: 'one\n' })
    })

    it('the server’s loop is not held up while a shell is busy', async () => {
      const { exec } = start()
      await exec('true')
      const turns = watchTicks()
      const { durationMs } = await exec('awk "BEGIN{for(i=0;i<150000;i++){s=s+i*i}; print s}"', { timeoutMs: 20_000 })
      // a shell in this process would have all of that time in one turn
      expect(turns.stop()).toBeLessThan(durationMs / 2)
    })

    it('curl goes through the FETCH of the run', async () => {
      const server = createServer((request, response) => response.end(`${request.method} ${request.url}`))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      const egress = createEgress({ allowPrivate: [{ host: '127.0.0.1', port }] })
      const fetch = egress.outbound({ rules: teamRules({ allow: [`http://127.0.0.1:${port}/ok`] }) })
      const { exec } = start({ grants: { fetch } })
      expect(await exec(`curl -s http://127.0.0.1:${port}/ok/x > got; cat got`)).toMatchObject({ stdout: 'GET /ok/x' })
      for (const url of [
        `http://127.0.0.1:${port}/no`,
        'http://169.254.169.254/',
        'file:///etc/passwd',
        'http://localhost/',
      ]) {
        const { exitCode, stdout } = await exec(`curl -s ${url}`)
        expect([url, exitCode === 0, stdout]).toEqual([url, false, ''])
      }
      expect((await exec(`curl -s -X POST -d x http://127.0.0.1:${port}/ok`)).exitCode).not.toBe(0)
      expect(fetch.log().map(({ error }) => error)).toContain('METHOD_NOT_ALLOWED')
      await new Promise((resolve) => server.close(resolve))
    })
  })
}
