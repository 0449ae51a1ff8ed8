import { runtimeContract, type Samples } from '../runtime.contract.ts'
import { openIsolate } from './subject.ts'

const javascript: Samples = {
  language: 'javascript',
  entry: 'main.js',
  result: `({ text: 'zß水🍌', list: [1, 2.5, null, true], nested: { a: {} } })`,
  nothing: 'const nothing = 1',
  input: 'export default (env, input) => input',
  variable: 'env.VARS.GREETING',
  stdin: `import { readFileSync } from 'node:fs'\nreadFileSync('/dev/stdin', 'utf8')`,
  prints: `console.log('one')\nconsole.error('two')\nconsole.log('three')\nconsole.log('zß水🍌')`,
  printsThenWaits: `console.log('ready')\nawait new Promise((resolve) => setTimeout(resolve, 1e9))`,
  large: `'x'.repeat(1e6)`,
  fails: `const cheese = 0\nif (cheese === 0) {\n  throw new Error('out of cheese')\n}`,
  malformed: `const a = 1\nconst b = = 2`,
  burns: 'for (;;);',
  hoards: 'const all = []\nfor (;;) all.push(new Array(1000).fill(all.length))',
  floods: `for (let at = 0; at < 50_000; at++) console.log('x'.repeat(100))\n'done'`,
  files: `import { readFileSync, writeFileSync } from 'node:fs'\nwriteFileSync('out/new.txt', readFileSync('data/in.txt', 'utf8').toUpperCase())`,
  calls: `const { ECHO } = env
const codeOf = async (act) => act().then(() => 'none', (error) => error.code)
export default async () => [await ECHO.ping(), await ECHO.echo({ a: [1, 'zß'] }), await codeOf(ECHO.refuse), await codeOf(ECHO.breaks)]`,
  manyCalls: `const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => env.ECHO.echo(at + 1)))\nanswers.reduce((sum, answer) => sum + answer)`,
  largeCalls: `const codeOf = (value) => env.ECHO.echo(value).then(() => 'none', (error) => error.code)
const keys = () => Object.fromEntries(Array.from({ length: 110_000 }, (_, at) => ['k' + at, 1]))
let deep = []
for (let depth = 1; depth < 199; depth++) deep = [deep]
const large = [() => Array(1_100_000).fill(1), keys, () => Array(450_000).fill(0.1234567890123456), () => deep]
const codes = []
for (const make of large) codes.push(await codeOf(make()))
export default async () => [...codes, await env.ECHO.echo('after')]`,
  filesCapability: `await env.FILES.write('a.txt', 'hello')\nawait env.FILES.read('a.txt')`,
  leavesTraces: `const was = 'trace' in globalThis || 'trace' in Object.prototype\nglobalThis.trace = Object.prototype.trace = 1\nwas`,
  world: '[Date.now(), Math.random()]',
}

const typescript: Samples = {
  ...javascript,
  language: 'typescript',
  entry: 'main.ts',
  input: 'export default (env: object, input: unknown): unknown => input',
  fails: `interface Cheese { left: number }\nconst cheese = { left: 0 } satisfies Cheese\nif (cheese.left < 1) throw new Error('out of cheese' as string)`,
  malformed: `type A = number\nconst b: A = = 2`,
}

runtimeContract('isolate, JavaScript', javascript, () => openIsolate())
runtimeContract('isolate, TypeScript', typescript, () => openIsolate())
