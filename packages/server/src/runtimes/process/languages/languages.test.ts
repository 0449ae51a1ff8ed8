import type { Language } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFixture, type Fixture } from '../process-fixture.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await createFixture(0x70090000 + (process.pid % 100) * 1000)
  await fixture.runtime.warm()
})
afterAll(async () => fixture.close())

const limits = { memoryMb: 1024 }

interface Sample {
  /** Prints its first argument, then the variable A, and writes made.txt. */
  prints: string
  /** Fails with "out of cheese" in line 3. */
  fails: string
  failure: object
  /** Cannot be parsed: the mistake is in line 2. */
  malformed: string
}

const samples: Partial<Record<Language, Sample>> = {
  ruby: {
    prints: 'puts ARGV[0]\nputs ENV["A"]\nFile.write("made.txt", STDIN.read)',
    fails: 'def f\n  # below\n  raise "out of cheese"\nend\nf',
    failure: { kind: 'runtime', message: 'out of cheese (RuntimeError)', line: 3 },
    malformed: 'x = 1\ny = = 2',
  },
  go: {
    prints:
      'package main\nimport ("fmt"; "io"; "os")\nfunc main() {\n fmt.Println(os.Args[1])\n fmt.Println(os.Getenv("A"))\n b, _ := io.ReadAll(os.Stdin)\n os.WriteFile("made.txt", b, 0600)\n}',
    fails: 'package main\nfunc main() {\n panic("out of cheese")\n}',
    failure: { kind: 'runtime', message: 'out of cheese', line: 3 },
    malformed: 'package main\nfunc main() { x := }',
  },
  c: {
    prints:
      '#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { puts(v[1]); puts(getenv("A")); FILE *f = fopen("made.txt", "w"); for (int s; (s = getchar()) != EOF;) fputc(s, f); }',
    fails: '#include <stdlib.h>\nint main() {\n abort();\n}',
    failure: { kind: 'runtime', message: 'Ended by SIGABRT' },
    malformed: 'int main() {\n int x = ;\n}',
  },
  cpp: {
    prints:
      '#include <iostream>\n#include <fstream>\nint main(int, char **v) { std::cout << v[1] << "\\n" << getenv("A") << std::endl; std::ofstream("made.txt") << std::cin.rdbuf(); }',
    fails: '#include <stdexcept>\nint main() {\n throw std::runtime_error("out of cheese");\n}',
    failure: { kind: 'runtime', message: 'Ended by SIGABRT' },
    malformed: 'int main() {\n int x = ;\n}',
  },
  r: {
    prints:
      'cat(commandArgs(TRUE)[1], "\\n", sep = "")\ncat(Sys.getenv("A"), "\\n", sep = "")\nwriteLines(readLines(file("stdin")), "made.txt")',
    fails: 'f <- function() {\n  # below\n  stop("out of cheese")\n}\nf()',
    failure: { kind: 'runtime', message: 'Error in f(): out of cheese', line: 3, column: 3 },
    malformed: 'x <- 1\ny <- = 2',
  },
  julia: {
    prints: 'println(ARGS[1])\nprintln(ENV["A"])\nwrite("made.txt", read(stdin, String))',
    fails: 'function f()\n  # below\n  error("out of cheese")\nend\nf()',
    failure: { kind: 'runtime', message: 'out of cheese', line: 3 },
    malformed: 'x = 1\ny = = 2',
  },
  rust: {
    prints:
      'use std::{env, fs, io::Read};\nfn main() { println!("{}\\n{}", env::args().nth(1).unwrap(), env::var("A").unwrap()); let mut text = String::new(); std::io::stdin().read_to_string(&mut text).unwrap(); fs::write("made.txt", text).unwrap(); }',
    fails: 'fn main() {\n // below\n panic!("out of cheese");\n}',
    failure: { kind: 'runtime', message: 'out of cheese', line: 3 },
    malformed: 'fn main() {\n let x = ;\n}',
  },
}

describe.each(Object.entries(samples) as [Language, Sample][])('%s', (language, sample) => {
  const missing = () => fixture.runtime.language?.(language)?.missing
  const run = (code: string, ask = {}) => fixture.run(language, code, { limits, ...ask })

  test('[process.19] takes arguments, variables and stdin, and hands back its files', async (context) => {
    if (missing()) return context.skip(`needs ${language}`)
    const told = await run(sample.prints, { args: ['one two'], env: { A: 'b ß' }, stdin: 'in\n' })
    expect({ error: told.error, stdout: told.stdout }).toEqual({ error: undefined, stdout: 'one two\nb ß\n' })
    expect(told.files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual([['made.txt', 'in\n']])
  })

  test('[process.19] a failure has its message and, where the language tells it, its line', async (context) => {
    if (missing()) return context.skip(`needs ${language}`)
    const { status, error } = await run(sample.fails)
    expect({ status, error }).toMatchObject({ status: 'failed', error: sample.failure })
  })

  test('[process.19] what cannot be parsed is a syntax error with its line', async (context) => {
    if (missing()) return context.skip(`needs ${language}`)
    const { error } = await run(sample.malformed)
    expect(error).toMatchObject({ kind: 'syntax', line: 2 })
  })
})

describe('programs known by their command', () => {
  test('[process.19] JSON in $COHEREX_RESULT is the result, and input is a variable and a file', async (context) => {
    if (fixture.runtime.language?.('ruby')?.missing) return context.skip('needs ruby')
    const echo = 'File.write(ENV["COHEREX_RESULT"], File.read(ENV["COHEREX_INPUT_FILE"]))\nputs ENV["COHEREX_INPUT"]'
    const small = await fixture.run('ruby', echo, { input: { text: 'zß水' } })
    expect(small).toMatchObject({ result: { text: 'zß水' }, stdout: '{"text": "zß水"}\n' })
    const large = await fixture.run('ruby', echo, { input: 'x'.repeat(1_000_000) })
    expect({ length: (large.result as string).length, stdout: large.stdout }).toEqual({
      length: 1_000_000,
      stdout: '\n',
    })
    const broken = await fixture.run('ruby', 'File.write(ENV["COHEREX_RESULT"], "no json")')
    expect(broken.error).toEqual({ kind: 'runtime', message: 'What the program wrote to $COHEREX_RESULT is not JSON' })
  })

  test('[process.19] a result that is a link, a pipe or too large is not taken', async (context) => {
    if (fixture.runtime.language?.('ruby')?.missing) return context.skip('needs ruby')
    const link = await fixture.run('ruby', 'File.symlink("/etc/passwd", ENV["COHEREX_RESULT"])')
    const pipe = await fixture.run('ruby', 'File.mkfifo(ENV["COHEREX_RESULT"])')
    expect([link.result, pipe.result, link.status, pipe.status]).toEqual([
      undefined,
      undefined,
      'succeeded',
      'succeeded',
    ])
    const large = await fixture.run('ruby', 'File.write(ENV["COHEREX_RESULT"], "1" * 9_000_000)')
    expect(large.error).toMatchObject({ kind: 'output' })
  })

  test('[process.19] a capability is called by the command, as in Bash', async (context) => {
    if (fixture.runtime.language?.('ruby')?.missing) return context.skip('needs ruby')
    const capabilities = { ECHO: { methods: { echo: async ([value]: unknown[]) => value } } }
    expect((await fixture.run('ruby', 'puts `coherex ECHO echo hello`', { capabilities })).stdout).toBe('hello\n')
  })

  test('[process.19] a compiler without end is ended by the limits of the run', async (context) => {
    if (fixture.runtime.language?.('c')?.missing) return context.skip('needs gcc')
    const bomb = '#include "main.c"\n#include "main.c"\nint main() {}'
    const { error } = await fixture.run('c', bomb, { limits: { timeoutMs: 2_000 } })
    expect(['syntax', 'timeout', 'memory']).toContain(error?.kind)
    const wide = 'int x[1 << 30] = {1}; int main() {}'
    expect((await fixture.run('c', wide, { limits: { timeoutMs: 5_000 } })).status).toBe('failed')
  })
})
