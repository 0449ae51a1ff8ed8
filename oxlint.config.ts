import { defineConfig } from 'oxlint'

/** The rooms of the server, from the ground up: each uses only those before it, through their index.ts. */
export const rooms = [
  'base',
  'egress',
  'access',
  'workspaces',
  'capabilities',
  'runtimes',
  'packages',
  'runs',
  'registry',
  'models',
  'tools',
  'sources',
  'knowledge',
  'agents',
  'flows',
  'triggers',
  'artifacts',
  'insight',
  'api',
]

/** Sub-rooms of the rooms that have many, from the ground up. */
const subRooms = {
  access: ['audit', 'secrets', 'sign-in', 'callers', 'teams', 'oauth'],
  workspaces: ['document', 'merge', 'search', 'files', 'versions', 'proposals', 'sync', 'git', 'templates', 'transfer'],
  runtimes: ['protocol', 'launch', 'packages', 'isolate', 'process', 'wasm'],
  runs: [
    ...['variables', 'queue', 'record', 'cells', 'blobs', 'execute', 'sandboxes', 'notebooks', 'attachments'],
    ...['language-servers', 'fixes'],
  ],
  registry: ['definition', 'agents', 'skills', 'tools'],
  agents: [
    ...['occurrences', 'turn', 'turns', 'threads', 'approvals', 'loop', 'code-mode', 'skills', 'templates', 'tools'],
    ...['apps', 'work'],
  ],
  api: ['http', 'socket', 'preview', 'sync', 'openai', 'mcp'],
}

const server = 'packages/server/src'
const roomRule = { root: server, order: rooms, within: subRooms }

/** The rooms of the studio, from the ground up. They have no doors: each uses any file of those before it. */
const studioRooms = [
  'words',
  'ui',
  'data',
  'live',
  'runtimes',
  'editor',
  'markdown',
  'change',
  'output',
  'cell',
  'artifact',
  'shell',
  'workbench',
  'pages',
]
/** The pages, from the ground up: a page shows parts of those before it. */
const pages = [
  ...['design', 'definitions', 'variables', 'approvals', 'deliveries', 'shares', 'sandboxes', 'sign-in', 'settings'],
  ...['data', 'chat', 'runs', 'executions', 'agents', 'skills', 'tools', 'scratch', 'workspaces', 'home', 'inbox'],
]
const studioRoomRule = { root: 'packages/studio/src', order: studioRooms, deep: true, within: { pages } }

const tests = ['**/*.test.ts', '**/*.test.tsx', '**/*.contract.ts', 'packages/*/tests/**']
/** Runs inside a sandbox, where the environment and the network are the guest's own. */
const guests = [
  `${server}/runtimes/*/guest/**`,
  `${server}/runtimes/*/child/**`,
  `${server}/runtimes/isolate/typecheck/**`,
  `${server}/packages/*/guest/**`,
]

const outbound = {
  why: 'the only way out is the egress room',
  modules: {
    undici: [],
    'node:http': ['createServer', 'Server', 'IncomingMessage', 'ServerResponse', 'STATUS_CODES', 'METHODS'],
    'node:https': ['createServer', 'Server'],
    'node:http2': ['createServer', 'createSecureServer', 'constants'],
    'node:net': ['createServer', 'Server', 'isIP', 'isIPv4', 'isIPv6', 'BlockList'],
    'node:tls': ['createServer', 'Server', 'rootCertificates'],
    'node:dgram': [],
    ws: ['WebSocketServer'],
  },
}
const outboundGlobals = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'].map((name) => ({
  name,
  message: outbound.why,
}))

const launch = { why: 'only a launcher starts processes', modules: { 'node:child_process': [], 'node:cluster': [] } }

/** No untrusted code in the server's process, ever. */
const refused = {
  why: 'code of others runs in a sandbox, never in this process',
  modules: { 'node:vm': [], 'node:wasi': [], 'node:inspector': [], 'isolated-vm': [] },
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'node', 'react'],
  jsPlugins: ['./scripts/house-rules.ts'],
  options: { typeAware: true },
  categories: { correctness: 'error' },
  ignorePatterns: ['**/dist', '.coherex', '**/*.gen.ts', 'packages/server/workspace-templates'],
  rules: {
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: false }],
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    // objects of ours are made by functions and know no `this`
    'typescript/unbound-method': 'off',
    'typescript/require-array-sort-compare': 'off',
    'unicorn/no-useless-spread': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/no-base-to-string': 'off',
    'typescript/no-useless-default-assignment': 'off',
    'typescript/no-meaningless-void-operator': 'off',
    'unicorn/no-new-array': 'off',
    'promise/no-callback-in-promise': 'off',
    'no-control-regex': 'off',
    // a compiler that we do not use
    'react/purity': 'off',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'no-eval': 'error',
    'no-new-func': 'error',
    'house/packages': 'error',
    'house/no-enum': 'error',
    'house/no-export-all': 'error',
  },
  overrides: [
    { files: ['packages/contract/src/**'], rules: { 'house/request-text': 'error' } },
    { files: ['packages/contract/src/wire/text.ts'], rules: { 'house/request-text': 'off' } },
    { files: [`${server}/**`], rules: { 'house/rooms': ['error', roomRule] } },
    { files: ['packages/studio/src/**'], rules: { 'house/rooms': ['error', studioRoomRule] } },
    // in a frame of no origin that has no network: that is what it is for
    { files: ['packages/studio/src/runtimes/javascript/javascript-worker.ts'], rules: { 'no-eval': 'off' } },
    // addresses of files, which the bundler makes of their names
    { files: ['packages/studio/src/runtimes/**/*parts.ts'], rules: { 'import/default': 'off' } },
    { files: [`${server}/api/**`], rules: { 'house/room-verbs': 'error' } },
    {
      files: [`${server}/**`, 'packages/cli/src/**'],
      rules: {
        'house/environment': 'error',
        'house/outbound-modules': ['error', outbound],
        'house/launch-modules': ['error', launch],
        'house/refused-modules': ['error', refused],
        'no-restricted-globals': ['error', { globals: outboundGlobals, checkGlobalObject: true }],
      },
    },
    { files: [`${server}/config.ts`, 'packages/cli/src/config.ts'], rules: { 'house/environment': 'off' } },
    {
      files: [`${server}/egress/**`, 'packages/cli/src/connect.ts'],
      rules: { 'house/outbound-modules': 'off', 'no-restricted-globals': 'off' },
    },
    {
      // these talk to unix sockets of our own, never to the network
      files: [
        `${server}/base/database/embedded-postgres*`,
        `${server}/base/data-directory.ts`,
        `${server}/runtimes/launch/spawner*.ts`,
      ],
      rules: { 'house/outbound-modules': 'off' },
    },
    {
      // speaks HTTP over connections into sandboxes, which it is given; it opens none
      files: [`${server}/api/preview/forward.ts`],
      rules: { 'house/outbound-modules': 'off' },
    },
    {
      files: [
        `${server}/runtimes/launch/**`,
        `${server}/base/database/embedded-postgres*`,
        'packages/cli/src/launch.ts',
      ],
      rules: { 'house/launch-modules': 'off' },
    },
    {
      // the machine's own programs prepare files and tell their versions, before any guest runs
      files: ['base-python', 'compile-python', 'operator-packages', 'find-languages'].map(
        (name) => `${server}/runtimes/process/**/${name}.ts`,
      ),
      rules: { 'house/launch-modules': 'off' },
    },
    {
      // they are bundled from the files they need: a door would bring its whole room
      files: [`${server}/packages/*/guest/**`],
      rules: { 'house/rooms': 'off' },
    },
    {
      files: guests,
      rules: {
        'house/environment': 'off',
        'house/outbound-modules': 'off',
        'house/launch-modules': 'off',
        'house/refused-modules': 'off',
        'no-restricted-globals': 'off',
        'no-new-func': 'off',
        'no-eval': 'off',
      },
    },
    {
      files: tests,
      rules: {
        'house/environment': 'off',
        'house/outbound-modules': 'off',
        'house/launch-modules': 'off',
        'house/request-text': 'off',
        'house/room-verbs': 'off',
        'no-restricted-globals': 'off',
      },
    },
    {
      files: tests.map((glob) => (glob.startsWith('packages') ? glob : `${server}/${glob}`)),
      rules: { 'house/rooms': ['error', { ...roomRule, within: {}, deep: true }] },
    },
    { files: ['**/*.config.ts', '**/vite.config.ts'], rules: { 'import/no-default-export': 'off' } },
  ],
})
