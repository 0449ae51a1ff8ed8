import { existsSync } from 'node:fs'

/** Where the clients inside find their proxy. Above the ports the kernel gives out by itself, so that it is free. */
export const proxyPort = 61080

const proxy = `http://127.0.0.1:${proxyPort}`
const certificates = '/etc/ssl/certs/ca-certificates.crt'
const direct = 'localhost,127.0.0.1,::1'

/** What tells curl, git, pip, npm and the libraries of most languages the way out of a sandbox. */
export const networkEnvironment: Record<string, string> = {
  HTTP_PROXY: proxy,
  HTTPS_PROXY: proxy,
  http_proxy: proxy,
  https_proxy: proxy,
  NO_PROXY: direct,
  no_proxy: direct,
  NODE_USE_ENV_PROXY: '1',
  // what the operator's machine trusts, as curl and Python do
  NODE_USE_SYSTEM_CA: '1',
  // packages of PyPI bring certificates of their own, and would not see those the operator added
  ...(existsSync(certificates) && { SSL_CERT_FILE: certificates, REQUESTS_CA_BUNDLE: certificates }),
  // Debian would have a virtual environment made first, and this whole place is one
  PIP_BREAK_SYSTEM_PACKAGES: '1',
  PIP_NO_CACHE_DIR: '1',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_NO_INPUT: '1',
  GIT_TERMINAL_PROMPT: '0',
  npm_config_cache: '/tmp/.cache/npm',
  npm_config_update_notifier: 'false',
}
