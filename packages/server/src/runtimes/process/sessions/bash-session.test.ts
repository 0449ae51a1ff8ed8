import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSessionFixture, type Session } from './session-fixture.ts'

let fixture: Awaited<ReturnType<typeof createSessionFixture>>
let bash: Session

beforeAll(async () => {
  fixture = await createSessionFixture(0x70068000)
  bash = await fixture.start('bash', { GREETING: 'hello' })
})
afterAll(() => fixture.close())

describe('a Bash session', () => {
  test('[session.1] keeps directory, variables, functions, aliases, options and the last status', async () => {
    await bash.run(
      'mkdir -p a; cd a; x=1; greet() { echo "$GREETING $1"; }; alias hi="greet you"; shopt -s nullglob; false',
    )
    expect(await bash.run('echo $?; pwd; greet $((x + 1)); hi; echo *.none')).toMatchObject({
      stdout: '1\n/home/guest/a\nhello 2\nhello you\n\n',
      error: undefined,
    })
  })

  test('[session.3] a failed last command is an error with its code and line, and nothing else is', async () => {
    expect((await bash.run('true\nfalse || exit_code=$?\n(exit 3)')).error).toEqual({
      kind: 'runtime',
      message: 'Exited with code 3',
      exitCode: 3,
      line: 3,
    })
    const missing = await bash.run('nosuchcommand')
    expect(missing).toMatchObject({ error: { message: 'Exited with code 127' } })
    expect(missing.stderr).toContain('nosuchcommand: command not found')
    expect((await bash.run('false\ntrue')).error).toBeUndefined()
    await bash.run("trap 'echo trapped' ERR; false")
    expect((await bash.run('echo $?; trap - ERR')).stdout).toBe('1\n')
    expect((await bash.run('set -u; echo $unset; echo not here')).error?.message).toBe('Exited with code 1')
    expect((await bash.run('set +u; echo $x')).stdout).toBe('1\n')
  })

  test('[session.3] what is unfinished is a syntax error, at once', async () => {
    for (const code of ['echo "abc', 'if true; then', 'x=$(', 'f() {', 'echo )']) {
      const told = await bash.run(code)
      expect(told.error, code).toMatchObject({ kind: 'syntax', line: expect.any(Number) })
      expect(told.stderr, code).toMatch(/^Cell \d+: line/)
    }
    expect(await bash.run('cat <<END\none\nEND')).toMatchObject({ stdout: 'one\n', error: undefined })
  })

  test('[session.2] an interrupt ends the cell, keeps the shell, and leaves background jobs alone', async () => {
    // a job ignores interrupts once it runs: on its way there it is still a copy of the shell
    await bash.run('sleep 300 & job=$!; until [ "$(cat /proc/$job/comm)" = sleep ]; do sleep 0.05; done')
    const forever = [
      'echo up; sleep 60; echo not here',
      'echo up; while :; do :; done',
      'spin() { while :; do sleep 0.1; done; }; echo up; spin; echo not here',
      'echo up; read line',
      'yes | tr y z',
    ]
    for (const code of forever) {
      let isAsked = false
      const told = await bash.run(code, {
        isInteractive: true,
        onMessage(message, session) {
          if (isAsked || message.type !== (code.includes('read') ? 'stdin-request' : 'output')) return
          isAsked = true
          session.interrupt()
        },
      })
      expect(told, code).toMatchObject({ interrupted: true, ended: false })
      expect(told.stdout, code).not.toContain('not here')
      expect((await bash.run('echo $x')).stdout).toBe('1\n')
    }
    expect(await bash.run('kill -0 $job && kill $job')).toMatchObject({ error: undefined })
  })

  test('[session.5] reads its standard input, then asks, then meets the end', async () => {
    expect(
      await bash.run('read a; head -n 1; read b; echo "[$a][$b]"; read c', { stdin: 'one\ntwo\nthree\n' }),
    ).toMatchObject({ stdout: 'two\n[one][three]\n', error: { message: 'Exited with code 1' } })
    const asked: unknown[] = []
    const told = await bash.run(
      'read -p "Name? " name; read -rsp "Key? " key; read -r more; echo "$? $name $key"; echo piped | { read p; echo $p; }; while read l; do echo "file $l"; done <<< "x"; cat',
      {
        isInteractive: true,
        onMessage(message, session) {
          if (message.type !== 'stdin-request') return
          asked.push([message.prompt, message.secret])
          const text = ['Ada', 'a \\ b'][asked.length - 1]
          session.send({ type: 'stdin', id: message.id, ...(text !== undefined && { text }) })
        },
      },
    )
    expect(told.stdout).toBe('1 Ada a \\ b\npiped\nfile x\n')
    expect(asked).toEqual([
      ['Name? ', false],
      ['Key? ', true],
      ['', false],
    ])
    expect((await bash.run('type -t read')).stdout).toBe('builtin\n')
  })

  test('[session.4] output is cut at the limit of its cell, and what is no text is replaced', async () => {
    const flood = await bash.run('yes | head -n 500000; echo end >&2', { outputBytes: 5_000 })
    expect(flood).toMatchObject({ truncated: true, error: undefined })
    expect(flood.stdout.length).toBe(5_001)
    expect(await bash.run("printf '\\xff\\n'")).toMatchObject({ stdout: '�\n', truncated: false })
    await bash.run('exec >&- 2>&-')
    await bash.run('exec >/dev/null')
    expect((await bash.run('echo $x > kept.txt; exec > >(cat >&2)')).error).toBeUndefined()
  })

  test('[session.6] variables are those the guest set', async () => {
    const fresh = await fixture.start('bash')
    await fresh.run(
      'text="a b"; declare -i number=5; list=(1 "2 3"); declare -A map=([k]="v w"); export SHOWN=1; lines=$\'a\\nb\'; f() { :; }',
    )
    expect(await fresh.variables()).toEqual([
      { name: 'SHOWN', type: 'exported', value: '1', size: 1 },
      { name: 'f', type: 'function', value: '' },
      { name: 'lines', type: 'string', value: 'a b', size: 3 },
      { name: 'list', type: 'array', value: '([0]="1" [1]="2 3")', shape: [2] },
      { name: 'map', type: 'map', value: '([k]="v w" )', shape: [1] },
      { name: 'number', type: 'integer', value: '5', size: 1 },
      { name: 'text', type: 'string', value: 'a b', size: 3 },
    ])
    expect((await fresh.variable('lines'))?.text).toBe('a\nb')
    expect((await fresh.variable('list', 1))?.table).toMatchObject({ rows: [['1', '2 3']], offset: 1, total: 2 })
    expect(await fresh.variable('PATH')).toBeUndefined()
    expect((await fresh.run('set -x; echo traced')).stdout).toBe('traced\n')
    expect(
      (
        await fresh.run('set +x; coherex ECHO ping 1; echo $COHEREX_INPUT', {
          capabilities: { ECHO: ['ping'] },
          input: { a: [1] },
          onMessage(message, session) {
            if (message.type === 'call') session.send({ type: 'answer', id: message.id, value: 'pong' })
          },
        })
      ).stdout,
    ).toBe('pong\n{"a": [1]}\n')
    expect((await fresh.run('echo "[$COHEREX_INPUT]"')).stdout).toBe('[]\n')
    await fresh.close()
  })

  test('[session.7] exit ends the session', async () => {
    const other = await fixture.start('bash')
    expect(await other.run('trap "echo bye" EXIT; echo last; exit 4')).toMatchObject({
      stdout: 'last\nbye\n',
      ended: true,
    })
  })
})
