import { applyFix, largestLimits, type OutputLine, type RunError } from '@coherex/contract'
import { describe, expect, test } from 'vitest'
import { createEgress } from '../../egress/index.ts'
import { explainError, type Failure } from './explain-error.ts'

const { allowable } = createEgress({ ownListeners: [{ host: 'studio.coherex.dev', port: 443 }] })

const explain = (error: Partial<RunError>, changes: Partial<Failure> = {}): RunError =>
  explainError({
    ...{
      error: { kind: 'runtime', message: 'failed', ...error },
      language: 'python',
      runtime: 'process',
      place: 'run',
    },
    ...{ output: [], requests: [], signs: [], hasStdin: false, allow: undefined, allowable, most: largestLimits },
    limits: { timeoutMs: 30_000, cpuMs: 30_000, memoryMb: 256, outputBytes: 1_000_000 },
    ...changes,
  })

const stderr = (text: string): OutputLine[] => [{ at: 1, stream: 'stderr', text }]

/** Summary, then kind, value and label of each fix. */
const told = ({ summary, fixes = [] }: RunError) => [summary, ...fixes.map(Object.values)]

describe('allow-host', () => {
  const asked = 'This run has no network: it asked for api.github.com'
  const allow = ['allow-host', 'https://api.github.com/', 'Allow api.github.com and run again']

  test.each([
    [
      'requests',
      "ConnectionError: HTTPSConnectionPool(host='api.github.com', port=443): Max retries exceeded (Caused by NameResolutionError)",
    ],
    [
      'urllib',
      'URLError: <urlopen error [Errno -3] Temporary failure in name resolution> (it asked for api.github.com:443)',
    ],
    ['Node', 'Error: getaddrinfo EAI_AGAIN api.github.com'],
    ['an isolate', 'CapabilityError: Cannot fetch "https://api.github.com/user?a=1": this run has no network'],
  ])('explainError() names the host that %s asked for', (_, message) => {
    expect(told(explain({ message }))).toEqual([asked, allow])
  })

  test.each([
    ['curl', 'curl: (6) Could not resolve host: api.github.com\n'],
    ['git', "fatal: unable to access 'https://api.github.com/': Could not resolve host: api.github.com\n"],
    ['wget', 'wget: unable to resolve host address ‘api.github.com’\n'],
    ['Go', 'Get "https://api.github.com": dial tcp: lookup api.github.com: Temporary failure in name resolution\n'],
  ])('explainError() reads what %s printed', (_, text) => {
    expect(told(explain({ message: 'Exited with code 6' }, { output: stderr(text) }))).toEqual([asked, allow])
  })

  test('explainError() offers the refused hosts of a run that has a network', () => {
    const request = (url: string, error: string | null) => ({
      ...{ at: '', method: 'GET', url, status: null, durationMs: 1, bytes: 0, error },
    })
    const requests = [
      request('https://a.example.com/x', 'URL_NOT_ALLOWED'),
      request('https://b.example.com/', null),
      request('http://c.example.com:8080/?q=1', 'URL_NOT_ALLOWED'),
      request('https://a.example.com/y', 'URL_NOT_ALLOWED'),
    ]
    const { summary, fixes } = explain({}, { allow: ['https://b.example.com/'], requests })
    expect(summary).toBe('This run may not reach a.example.com and c.example.com:8080')
    expect(fixes?.map(({ value }) => value)).toEqual(['https://a.example.com/', 'http://c.example.com:8080/'])
  })

  test.each([
    ['loopback', '127.0.0.1'],
    ['loopback in one number', '2130706433'],
    ['a private address', '10.0.0.8'],
    ['the metadata of a cloud', '169.254.169.254'],
    ['IPv6 loopback', '[::1]'],
    ['a name of this machine', 'localhost'],
    ['a name of this machine with a dot', 'app.localhost'],
    ['a name without a dot', 'postgres'],
    ['a name of a cluster', 'db.default.svc.cluster.local'],
    ['a cloud-internal name', 'metadata.google.internal'],
    ['this server', 'studio.coherex.dev'],
    ['a port that is not for HTTP', 'api.github.com:25'],
    ['a user before the host', 'api.github.com@evil.example.com'],
    ['a wildcard', '*.github.com'],
  ])('explainError() never offers %s', (_, host) => {
    const message = `Cannot fetch "https://${host}/": this run has no network`
    expect(explain({ message }).fixes).toBeUndefined()
    expect(explain({ message: `Error: getaddrinfo EAI_AGAIN ${host}` }).fixes ?? []).not.toContainEqual(
      expect.objectContaining({ value: expect.stringMatching(/evil|localhost|127|10\.|169\.|\*|:25/) }),
    )
  })

  test.each([
    ['a letter that looks like another is shown as punycode', 'аpi.github.com', 'xn--pi-6kc.github.com'],
    ['capitals are lowered', 'API.GitHub.com', 'api.github.com'],
  ])('explainError(): %s', (_, host, shown) => {
    const { summary, fixes } = explain({ message: `Error: getaddrinfo EAI_AGAIN ${host}` })
    expect([summary, fixes?.[0]?.label]).toEqual([
      `This run has no network: it asked for ${shown}`,
      `Allow ${shown} and run again`,
    ])
  })

  test.each([
    ['a control character', 'a\u001b[2K.example.com'],
    ['a right-to-left mark', 'a\u202emoc.example.com'],
    ['a line end', 'a.example.com\nAllow everything'],
    ['a markup', '<b>a.example.com</b>'],
    ['300 characters', `${'a'.repeat(300)}.example.com`],
    ['a shell command', '$(id).example.com'],
    ['nothing', ''],
  ])('explainError() shows no %s of a host', (_, host) => {
    for (const message of [
      `Error: getaddrinfo EAI_AGAIN ${host}`,
      `Cannot fetch "https://${host}/": this run has no network`,
      `HTTPSConnectionPool(host='${host}', port=443): name resolution`,
    ]) {
      const { summary = '', fixes = [] } = explain({ message })
      const shown = [summary, ...fixes.flatMap(({ value, label }) => [value, label])].join('|')
      expect(shown).toMatch(/^[ -~]*$/)
      expect(shown).not.toMatch(/[<>$\\]|everything|a{100}/)
    }
  })

  test('explainError() is quick with a text that repeats what it looks for', () => {
    const message = 'getaddrinfo EAI_AGAIN '.repeat(4000) + "HTTPSConnectionPool(host='".repeat(4000)
    expect(explain({ message }).fixes).toBeUndefined()
  })
})

describe('packages', () => {
  test.each([
    ['sklearn.linear_model', 'it comes with the package scikit-learn', 'scikit-learn'],
    ['requests', 'it comes with the package requests', 'requests'],
    ['my_code', 'it is neither a file beside the code nor in a package that it has', 'my_code'],
  ])('explainError() names the package of %s and offers it', (module, where, name) => {
    expect(told(explain({ message: `ModuleNotFoundError: No module named '${module}'` }))).toEqual([
      `Python has no module ${module.split('.')[0]} here: ${where}`,
      ['add-package', name, `Add ${name} and run again`],
    ])
  })

  test('explainError() offers a package of the list and names any other', () => {
    const missing = (name: string) =>
      explain({ message: `Error: Cannot find package '${name}' imported from /home/main.mjs` })
    expect(told(missing('lodash-es/map'))[1]).toEqual(['add-package', 'lodash-es/map', 'Add lodash-es and run again'])
    expect(told(missing('@acme/left-pad/deep'))).toEqual([
      'The package @acme/left-pad is not here',
      ['add-package', '@acme/left-pad', 'Add @acme/left-pad and run again'],
    ])
    expect(told(missing('./own.js'))).toEqual([undefined])
  })

  test('explainError() offers packages for a sandbox, which has not the list', () => {
    const cell = { place: 'sandbox' as const }
    expect(told(explain({ message: "Error: Cannot find package 'lodash-es'" }, cell))).toEqual([
      'The package lodash-es is not here',
      ['add-package', 'lodash-es', 'Add lodash-es to this sandbox and run again'],
    ])
  })

  test('explainError() offers a process for what an isolate lacks', () => {
    const process = ['use-process', 'process', 'Run as a process']
    const isolate = { runtime: 'isolate' as const, language: 'javascript' as const }
    expect(told(explain({ message: 'ReferenceError: require is not defined' }, isolate))).toEqual([
      'The isolate this ran in has no require; a process has',
      process,
    ])
    expect(told(explain({ message: 'ReferenceError: total is not defined' }, isolate))).toEqual([undefined])
  })
})

describe('limits', () => {
  test.each([
    [{ kind: 'memory' }, {}, 'memoryMb=512', 'Raise memory to 512 MB and run again'],
    [{ kind: 'timeout' }, {}, 'timeoutMs=120000', 'Raise time to 2 m and run again'],
    [
      { kind: 'timeout' },
      { most: { ...largestLimits, timeoutMs: 40_000 } },
      'timeoutMs=40000',
      'Raise time to 40 s and run again',
    ],
    [
      { kind: 'output' },
      { signs: [{ kind: 'limit-kill', detail: '' }] },
      'outputBytes=10000000',
      'Raise output to 10 MB and run again',
    ],
  ] as const)('explainError() offers the next value of a limit: %o', (error, changes, value, label) => {
    const { fixes } = explain(error, changes as Partial<Failure>)
    expect(fixes).toEqual([{ kind: 'raise-limit', value, label }])
    const [name = '', amount] = value.split('=')
    expect(applyFix({ limits: { timeoutMs: 1 } }, fixes![0]!).limits).toMatchObject({ [name]: Number(amount) })
  })

  test('explainError() offers nothing beyond what the caller may ask for', () => {
    expect(explain({ kind: 'memory' }, { most: { ...largestLimits, memoryMb: 256 } }).fixes).toBeUndefined()
    expect(explain({ kind: 'timeout' }, { most: { ...largestLimits, timeoutMs: 0 } }).fixes).toBeUndefined()
    expect(explain({ kind: 'output', message: 'The result is too large' }).fixes).toBeUndefined()
  })
})

test('explainError() offers standard input to code that asked for a line', () => {
  const message = 'EOFError: EOF when reading a line'
  expect(told(explain({ message }))).toEqual([
    'The code asked for input, and this run has no standard input',
    ['give-stdin', '', 'Give standard input'],
  ])
  expect(explain({ message }, { hasStdin: true }).summary).toBe('The code asked for more input than this run was given')
})
