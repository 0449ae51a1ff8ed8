import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { modelName } from '@coherex/contract'
import { z } from 'zod'
import { StartError, type S3Place } from './base/index.ts'
import { readNpmSettings, readPipSettings, type NpmSettings, type PipSettings } from './packages/index.ts'

const flag = z.enum(['0', '1', 'true', 'false', '']).transform((text) => text === '1' || text === 'true')
const webUrl = z.url({ protocol: /^https?$/ })
const registry = z.union([z.literal('off'), webUrl], 'must be the address of a registry, or "off"')

const settings = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(4310),
  HOST: z.string().min(1).default('127.0.0.1'),
  COHEREX_DATA_DIR: z.string().min(1).default('.coherex'),
  COHEREX_BLOB_DIR: z.string().min(1).optional(),
  COHEREX_S3_ENDPOINT: webUrl.optional(),
  COHEREX_S3_BUCKET: z.string().min(1).optional(),
  COHEREX_S3_REGION: z.string().min(1).default('us-east-1'),
  COHEREX_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  COHEREX_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  COHEREX_S3_PREFIX: z
    .string()
    .regex(/^([\w-]+\/)*$/, 'must be folders that end with a slash')
    .default(''),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  COHEREX_TOKEN: z
    .string()
    .regex(/^[\w-]{20,200}$/, 'must be 20 to 200 letters, digits, _ or -')
    .optional(),
  COHEREX_SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  COHEREX_PUBLIC_URL: webUrl.optional(),
  COHEREX_TRUST_PROXY: flag.default(false),
  COHEREX_ALLOW_PRIVATE: z
    .string()
    .regex(
      /^([\w.-]+:\d+|\[[0-9a-fA-F:]+\]:\d+)(,([\w.-]+:\d+|\[[0-9a-fA-F:]+\]:\d+))*$/,
      'must be host:port, separated by commas',
    )
    .optional(),
  COHEREX_SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  COHEREX_MAIL_FROM: z.string().min(3).optional(),
  COHEREX_OIDC_ISSUER: webUrl.optional(),
  COHEREX_OIDC_CLIENT_ID: z.string().min(1).optional(),
  COHEREX_OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  COHEREX_OIDC_NAME: z.string().min(1).max(40).default('single sign-on'),
  COHEREX_PYTHON: z.string().startsWith('/', 'must be the whole path of a Python').optional(),
  COHEREX_PYTHON_PACKAGES: z.string().min(1).optional(),
  COHEREX_NPM_REGISTRY: registry.optional(),
  COHEREX_PYPI_INDEX: registry.optional(),
  COHEREX_UV: z.string().startsWith('/', 'must be the whole path of uv').optional(),
  COHEREX_PACKAGES_MB: z.coerce.number().int().min(100).max(10_000_000).default(20_000),
  COHEREX_PACKAGES_UNDATED: flag.default(false),
  COHEREX_PACKAGES_AHEAD: z
    .string()
    .regex(/^[\w.-]+(,[\w.-]+)*$/, 'must be names of Python packages, separated by commas')
    .optional(),
  WASMEDGE_PATH: z.string().min(1).optional(),
  COHEREX_WARM: flag.default(true),
  COHEREX_LEASE_SECONDS: z.coerce.number().int().min(1).max(600).default(15),
  COHEREX_AUDIT_DAYS: z.coerce.number().int().min(7).max(3650).default(90),
  COHEREX_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'),
  COHEREX_REQUESTS_PER_SECOND: z.coerce.number().int().min(1).max(100_000).default(500),
  COHEREX_SANDBOX_MEMORY_PERCENT: z.coerce.number().int().min(5).max(95).default(75),
  COHEREX_SANDBOX_OVERCOMMIT: z.coerce.number().min(1).max(100).default(8),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
  ANTHROPIC_API_KEY: z.string().min(1).optional(),
  OPENAI_API_KEY: z.string().min(1).optional(),
  GOOGLE_GENERATIVE_AI_API_KEY: z.string().min(1).optional(),
  COHEREX_COMPATIBLE_BASE_URL: webUrl.optional(),
  COHEREX_COMPATIBLE_API_KEY: z.string().min(1).optional(),
  OLLAMA_HOST: z.string().min(1).optional(),
  COHEREX_EMBEDDING_MODEL: modelName.optional(),
})

const modelSettings = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'COHEREX_COMPATIBLE_BASE_URL',
  'COHEREX_COMPATIBLE_API_KEY',
  'OLLAMA_HOST',
  'COHEREX_EMBEDDING_MODEL',
] as const

export interface Config {
  port: number
  host: string
  dataDirectory: string
  /** Where files that are no rows are kept; servers on one database share it. */
  blobDirectory: string
  /** A bucket that keeps them instead. */
  s3: S3Place | undefined
  databaseUrl: string | undefined
  token: string | undefined
  secretKey: string | undefined
  publicUrl: string | undefined
  trustProxy: boolean
  allowPrivate: string[]
  mail: { url: string; from: string } | undefined
  oidc: { name: string; issuer: string; clientId: string; clientSecret: string } | undefined
  /** The Python that runs programs, instead of the system's. */
  python: string | undefined
  /** A folder with wheels or packages that Python programs may import. */
  pythonPackages: string | undefined
  packages: {
    /** Registries, as npm and pip are configured on the machine or as the operator says; undefined where they are switched off. */
    npm: NpmSettings | undefined
    pypi: PipSettings | undefined
    /** The uv to resolve Python packages with, instead of the one that comes with the project. */
    uv: string | undefined
    /** What all sets may take on disk before the oldest go. */
    mostMb: number
    /** A registry that tells no release times is used under a minimum age all the same. */
    allowsUndated: boolean
    /** Python packages that are fetched before anyone asks for them. */
    ahead: string[]
  }
  /** The WasmEdge program to run WebAssembly with, instead of what is found. */
  wasmEdgePath: string | undefined
  /** Sandboxes and the data stack are made ready before anyone asks. */
  warm: boolean
  /** How long a server is believed to be at work on a turn without saying so. */
  leaseSeconds: number
  auditDays: number
  logLevel: string
  requestsPerSecond: number
  /** The share of the machine's memory that all sandboxes may use together, and how many times over it may be promised. */
  sandboxMemoryPercent: number
  sandboxOvercommit: number
  otlpEndpoint: string | undefined
  /** Keys and addresses of models, by the names their vendors gave them. */
  models: Readonly<Record<string, string | undefined>>
}

/** Reads the environment once. A bad value stops the start with one sentence. */
export function readConfig(environment: Record<string, string | undefined>, workingDirectory: string): Config {
  // an empty variable is as good as none: compose files and shells leave such behind
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = settings.safeParse(set)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    // the value stays out of the message: it may be a key
    throw new StartError(`The setting ${issue?.path[0] as string} is not valid: ${issue?.message}`)
  }
  const values = parsed.data
  if (!isIP(values.HOST) && values.HOST !== 'localhost') {
    throw new StartError('The setting HOST is not valid: it must be an IP address or "localhost"')
  }
  const dataDirectory = resolve(workingDirectory, values.COHEREX_DATA_DIR)
  return {
    port: values.PORT,
    host: values.HOST,
    dataDirectory,
    blobDirectory: resolve(workingDirectory, values.COHEREX_BLOB_DIR ?? join(dataDirectory, 'blobs')),
    s3: s3Of(values),
    databaseUrl: values.DATABASE_URL,
    token: values.COHEREX_TOKEN,
    secretKey: values.COHEREX_SECRET_KEY,
    publicUrl: values.COHEREX_PUBLIC_URL && new URL(values.COHEREX_PUBLIC_URL).origin,
    trustProxy: values.COHEREX_TRUST_PROXY,
    allowPrivate: values.COHEREX_ALLOW_PRIVATE?.split(',') ?? [],
    mail: mailOf(values),
    oidc: oidcOf(values),
    python: values.COHEREX_PYTHON,
    pythonPackages: values.COHEREX_PYTHON_PACKAGES && resolve(workingDirectory, values.COHEREX_PYTHON_PACKAGES),
    packages: {
      npm: values.COHEREX_NPM_REGISTRY === 'off' ? undefined : readNpmSettings(set, values.COHEREX_NPM_REGISTRY),
      pypi: values.COHEREX_PYPI_INDEX === 'off' ? undefined : readPipSettings(set, values.COHEREX_PYPI_INDEX),
      uv: values.COHEREX_UV,
      mostMb: values.COHEREX_PACKAGES_MB,
      allowsUndated: values.COHEREX_PACKAGES_UNDATED,
      ahead: values.COHEREX_PACKAGES_AHEAD?.split(',') ?? [],
    },
    wasmEdgePath: values.WASMEDGE_PATH && resolve(workingDirectory, values.WASMEDGE_PATH),
    warm: values.COHEREX_WARM,
    leaseSeconds: values.COHEREX_LEASE_SECONDS,
    auditDays: values.COHEREX_AUDIT_DAYS,
    logLevel: values.COHEREX_LOG_LEVEL,
    requestsPerSecond: values.COHEREX_REQUESTS_PER_SECOND,
    sandboxMemoryPercent: values.COHEREX_SANDBOX_MEMORY_PERCENT,
    sandboxOvercommit: values.COHEREX_SANDBOX_OVERCOMMIT,
    otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    models: Object.fromEntries(modelSettings.map((name) => [name, values[name]])),
  }
}

/** The environment of this process. Nothing else reads it. */
export function readProcessConfig(): Config {
  return readConfig(process.env, process.cwd())
}

function mailOf(values: z.infer<typeof settings>): Config['mail'] {
  if (!values.COHEREX_SMTP_URL) return undefined
  if (!values.COHEREX_MAIL_FROM) throw new StartError('COHEREX_SMTP_URL needs COHEREX_MAIL_FROM, the sender of letters')
  return { url: values.COHEREX_SMTP_URL, from: values.COHEREX_MAIL_FROM }
}

function s3Of(values: z.infer<typeof settings>): S3Place | undefined {
  const { COHEREX_S3_ENDPOINT: endpoint, COHEREX_S3_BUCKET: bucket } = values
  const { COHEREX_S3_ACCESS_KEY_ID: accessKeyId, COHEREX_S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  if (!endpoint) return undefined
  if (!bucket || !accessKeyId || !secretAccessKey) {
    throw new StartError(
      'COHEREX_S3_ENDPOINT needs COHEREX_S3_BUCKET, COHEREX_S3_ACCESS_KEY_ID and COHEREX_S3_SECRET_ACCESS_KEY',
    )
  }
  return {
    ...{ endpoint, bucket, accessKeyId, secretAccessKey },
    ...{ region: values.COHEREX_S3_REGION, prefix: values.COHEREX_S3_PREFIX },
  }
}

function oidcOf(values: z.infer<typeof settings>): Config['oidc'] {
  const {
    COHEREX_OIDC_ISSUER: issuer,
    COHEREX_OIDC_CLIENT_ID: clientId,
    COHEREX_OIDC_CLIENT_SECRET: clientSecret,
  } = values
  if (!issuer) return undefined
  if (!clientId || !clientSecret) {
    throw new StartError('COHEREX_OIDC_ISSUER needs COHEREX_OIDC_CLIENT_ID and COHEREX_OIDC_CLIENT_SECRET')
  }
  return { name: values.COHEREX_OIDC_NAME, issuer, clientId, clientSecret }
}
