// The program inside the sandbox of a type check: writes the files it is sent, runs the compiler once, and ends.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'

// read as a stream: stdin is a socket here, and a read that does not wait fails when the files are not there yet
const files = JSON.parse(await text(process.stdin)) as Record<string, string>
for (const [path, source] of Object.entries(files)) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, source)
}
execFile(
  '/app/typescript/tsc',
  ['--project', 'tsconfig.json', '--pretty', 'false'],
  { maxBuffer: 1024 * 1024 },
  (error, stdout) => {
    process.stdout.write(stdout)
    // 1 and 2 mean that errors were found and printed
    process.exitCode = error && error.code !== 1 && error.code !== 2 ? 70 : 0
  },
)
