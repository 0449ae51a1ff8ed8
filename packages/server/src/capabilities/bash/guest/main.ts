// The shell's own process: started in a sandbox, serves one run, and holds nothing but the pipe to the host.
import { Buffer } from 'node:buffer'
import { Bash, type SecureFetch } from 'just-bash'
import { createFrameReader, encodeFrame } from '../frame.ts'
import { type HostMessage, type ShellLimits, type ShellMessage, usualShellLimits } from '../shell-messages.ts'
import { createHostCalls } from './host-calls.ts'
import { createSpaceFileSystem } from './space-file-system.ts'

type Exec = HostMessage & { type: 'exec' }

const maxFrameBytes = 128_000_000
const send = (message: ShellMessage) => void process.stdout.write(encodeFrame(message))
const { call, answer } = createHostCalls(send)
const fs = createSpaceFileSystem(call)

const fetchThroughHost: SecureFetch = async (url, options = {}) => {
  const { method, headers, body, followRedirects } = options
  const value = await call('FETCH', 'fetch', [
    url,
    {
      ...(method !== undefined && { method }),
      ...(headers !== undefined && { headers: [...new Headers(headers)] }),
      ...(body !== undefined && { body }),
      ...(followRedirects === false && { redirect: 'manual' }),
      encoding: 'base64',
      maxBytes: 10_000_000,
    },
  ])
  const response = value as {
    url: string
    status: number
    statusText: string
    headers: [string, string][]
    body: string
  }
  const { status, statusText } = response
  return {
    url: response.url,
    status,
    statusText,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(response.body, 'base64'),
  }
}

// Laying out /bin costs more than most commands, so a shell is kept while its limits stay the same. Every exec has
// variables, functions and a directory of its own all the same.
let kept: { key: string; bash: Bash } | undefined

function shellFor(limits: ShellLimits, network: boolean): Bash {
  const key = JSON.stringify([limits, network])
  if (kept?.key === key) return kept.bash
  const bash = new Bash({
    fs,
    cwd: '/',
    env: { HOME: '/' },
    executionLimitProfile: 'hardened',
    executionLimits: {
      maxCommandCount: 100_000,
      maxLoopIterations: 100_000,
      maxAwkIterations: 1_000_000,
      maxSedIterations: 100_000,
      maxJqIterations: 100_000,
      // room to say that it was too much, and to show the head of it
      maxOutputSize: limits.outputBytes * 2,
      maxStringLength: 16_000_000,
      maxExecutionTimeMs: limits.timeoutMs,
    },
    ...(network && { fetch: fetchThroughHost }),
  })
  kept = { key, bash }
  return bash
}

async function exec({ id, command, cwd, env, stdin, limits, network }: Exec): Promise<void> {
  let result
  try {
    result = await shellFor(limits, network).exec(command, { cwd, env, stdin, rawScript: true })
  } catch (error) {
    result = { stdout: '', stderr: `bash: ${error instanceof Error ? error.message : String(error)}\n`, exitCode: 2 }
  }
  const stdout = cut(result.stdout, limits.outputBytes)
  const stderr = cut(result.stderr, limits.outputBytes - stdout.bytes)
  send({
    type: 'result',
    id,
    stdout: stdout.text,
    stderr: stderr.text,
    exitCode: result.exitCode,
    truncated: stdout.truncated || stderr.truncated,
  })
}

function cut(text: string, maxBytes: number): { text: string; bytes: number; truncated: boolean } {
  const bytes = Buffer.byteLength(text)
  if (bytes <= maxBytes) return { text, bytes, truncated: false }
  const head = Buffer.from(text).subarray(0, maxBytes)
  return { text: new TextDecoder().decode(head, { stream: true }), bytes: maxBytes, truncated: true }
}

const read = createFrameReader(maxFrameBytes, (message) => {
  const given = message as HostMessage
  switch (given.type) {
    case 'exec':
      void exec(given)
      break
    case 'answer':
      answer(given)
      break
  }
})
process.stdin.on('data', read)
process.stdin.on('end', () => process.exit(0))

// Commands are loaded when first used; these are used by almost everyone, and nobody waits for a spare to get ready.
await new Bash()
  .exec(`echo x | cat | grep x | head -1 > f; ls | sed s/x/y/ | wc -l; test -f f && cp f g; mv g h; mkdir d
sort h | uniq | cut -c1 | tr x y | tail -1 | awk '{print $1}'; find . -name f; echo '{}' | jq .; rm -r f h d`)
shellFor(usualShellLimits, false)
send({ type: 'ready' })
