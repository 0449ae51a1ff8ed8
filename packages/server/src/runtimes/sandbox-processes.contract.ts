import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { content, failureOf, runPython } from './sandbox-cells.ts'
import type { Sandbox, SandboxProcess } from './sandbox.ts'

const outputOf = (process: SandboxProcess, stream: 'stdout' | 'stderr' = 'stdout') =>
  process.recentOutput.map((piece) => (piece.stream === stream ? piece.text : '')).join('')

/** Commands that run in a sandbox in the background, terminals and ports. */
export function sandboxProcessesContract(current: () => Sandbox): void {
  test('[sandbox.10] a process has output, input, a directory and an end', async () => {
    const sandbox = current()
    await sandbox.files.makeDirectory('sub')
    const started = await sandbox.processes.start({
      command: 'pwd; echo $GREETING $MORE; cat; echo bad >&2; exit 3',
      cwd: 'sub',
      env: { MORE: 'more' },
    })
    expect(sandbox.processes.list()).toEqual([started])
    started.write(Buffer.from('typed\n'))
    started.endInput()
    expect(await started.exited).toEqual({ code: 3, signal: null })
    expect(outputOf(started)).toBe('/home/guest/sub\nhello more\ntyped\n')
    expect(outputOf(started, 'stderr')).toBe('bad\n')
    expect(sandbox.processes.list()).toEqual([])
    expect(sandbox.processes.get(started.pid)).toBe(started)
    expect(await failureOf(sandbox.processes.start({ command: 'true', cwd: '../..' }))).toBe('invalid_input')
  })

  test('[sandbox.10] a signal ends a process with its children', async () => {
    const sandbox = current()
    const started = await sandbox.processes.start({
      command: 'trap "" TERM; sleep 1000 & echo up; wait; wait; sleep 1000',
    })
    await expect.poll(() => outputOf(started)).toBe('up\n')
    started.kill('SIGKILL')
    expect(await started.exited).toEqual({ code: null, signal: 'SIGKILL' })
    // each of them has been killed; one that had no core since is still on its way out
    const count = 'import subprocess\nsubprocess.run(["pgrep", "-c", "sleep"], capture_output=True, text=True).stdout'
    await expect.poll(async () => (await runPython(sandbox, count)).result).toBe('0\n')
    const polite = await sandbox.processes.start({ command: 'exec sleep 1000' })
    polite.kill('SIGTERM')
    expect(await polite.exited).toEqual({ code: null, signal: 'SIGTERM' })
  })

  test('[sandbox.10] output without end is read in bounds', async () => {
    const sandbox = current()
    const started = await sandbox.processes.start({ command: 'yes' })
    let seen = 0
    started.onOutput((_, chunk) => (seen += chunk.length))
    await expect.poll(() => seen).toBeGreaterThan(1_000_000)
    expect((await runPython(sandbox, '1 + 1')).result).toBe(2)
    expect(started.recentOutput.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(200_000)
    started.kill('SIGKILL')
    await started.exited
  })

  test('[sandbox.10] input that nobody reads is refused after a while', async () => {
    const sandbox = current()
    const started = await sandbox.processes.start({ command: 'exec sleep 1000' })
    const fill = () => {
      for (let index = 0; index < 1000; index++) started.write(Buffer.alloc(10_000))
    }
    expect(fill).toThrow('it does not read')
    started.kill('SIGKILL')
    await started.exited
  })

  test('[sandbox.10] a terminal has a size, echoes, and interrupts what runs in it', async () => {
    const sandbox = current()
    const terminal = await sandbox.processes.start({ command: '', terminal: { columns: 90, rows: 20 } })
    const type = (text: string) => terminal.write(Buffer.from(text))
    const shown = () => outputOf(terminal)
    type('tty; stty size; echo mark-$((40 + 2))\n')
    await expect.poll(shown).toContain('mark-42')
    expect(shown()).toContain('20 90')
    expect(shown()).toContain('/dev/pts/0')
    terminal.resize(120, 40)
    type('stty size; echo mark-$((40 + 3))\n')
    await expect.poll(shown).toContain('mark-43')
    expect(shown()).toContain('40 120')
    // a shell of its own: it has the terminal before it says a word
    type("bash -c 'echo up-$((1 + 1)); exec sleep 1000'\n")
    await expect.poll(shown).toContain('up-2')
    type('\u0003')
    type('echo mark-$((40 + 4))\n')
    await expect.poll(shown).toContain('mark-44')
    type('exit 5\n')
    expect(await terminal.exited).toEqual({ code: 5, signal: null })
  })

  test('[sandbox.11] a port inside is reached, both ways and in bulk', async () => {
    const sandbox = current()
    const echo = `import socket, threading
def serve(family, address, port):
    server = socket.socket(family); server.bind((address, port)); server.listen()
    print("up\\n", end="", flush=True)
    def talk(c):
        while data := c.recv(65536): c.sendall(data)
        c.close()
    while True: threading.Thread(target=talk, args=server.accept()[:1]).start()
threading.Thread(target=serve, args=(socket.AF_INET6, "::1", 8001)).start()
serve(socket.AF_INET, "127.0.0.1", 8000)`
    await sandbox.files.write('echo.py', content(echo))
    const server = await sandbox.processes.start({ command: 'exec python3 echo.py' })
    await expect.poll(() => outputOf(server)).toBe('up\nup\n')
    const sent = randomBytes(3_000_000)
    for (const port of [8000, 8001]) {
      const connection = await sandbox.connect(port)
      const received: Buffer[] = []
      const all = new Promise<void>((resolve) => {
        let size = 0
        connection.on('data', (chunk: Buffer) => {
          received.push(chunk)
          size += chunk.length
          if (size === sent.length) resolve()
        })
      })
      connection.write(sent)
      await all
      connection.end()
      await once(connection, 'close')
      expect(Buffer.concat(received).equals(sent)).toBe(true)
    }
    expect(await failureOf(sandbox.connect(9))).toBe('not_found')
    server.kill('SIGKILL')
    await server.exited
    expect(await failureOf(sandbox.connect(8000))).toBe('not_found')
  })
}
