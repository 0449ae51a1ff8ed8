import { CoherexError } from '@coherex/contract'

/** Hides what must not leave the team, and puts it back in what comes. */
export interface HideSecrets {
  hide(text: string): string
  show(text: string): string
}

const secretFiles =
  /(?:^|\/)(?:\.env(?:\.[^/]*)?|\.npmrc|\.pypirc|\.netrc|\.pgpass|id_(?:rsa|dsa|ecdsa|ed25519)|[^/]*\.(?:pem|key|p12|pfx|keystore))$/i
// examples of them are there to be read
const harmless = /\.(?:example|sample|template)$/i

/** Forms that keys of well-known services have, and private keys. */
const keyForms = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_]){0,3}[A-Za-z0-9]{16,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_\w{20,}/g,
  /\bglpat-[\w-]{20,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bcoherex_[\w-]{20,}/g,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g,
]
// a shorter one is a word that other texts have too
const shortestSecret = 8

export function refuseSecretFile(path: string): void {
  if (!secretFiles.test(path) || harmless.test(path)) return
  throw new CoherexError(
    'invalid_input',
    `Cannot ask a model about ${path}: files of that name hold secrets, and those are not sent`,
  )
}

/** Secrets of the team, and what looks like a key, stand as `<secret-1>` in what a model reads. */
export function withoutSecrets(secrets: readonly string[]): HideSecrets {
  const hidden: string[] = []
  const known = secrets.filter(({ length }) => length >= shortestSecret).toSorted((a, b) => b.length - a.length)
  const mark = (secret: string) => {
    const at = hidden.indexOf(secret)
    return `<secret-${at < 0 ? hidden.push(secret) : at + 1}>`
  }
  return {
    hide(text) {
      let left = text
      for (const secret of known) if (left.includes(secret)) left = left.replaceAll(secret, () => mark(secret))
      for (const form of keyForms) left = left.replace(form, mark)
      return left
    },
    show: (text) => text.replace(/<secret-(\d+)>/g, (whole, number: string) => hidden[Number(number) - 1] ?? whole),
  }
}
