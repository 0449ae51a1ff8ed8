const languages = ['javascript', 'typescript', 'python', 'sql', 'r']

/** Why this browser does not run a language; undefined where it does. */
export function whyNotInBrowser(language: string): string | undefined {
  if (!languages.includes(language)) return 'No browser runs this language.'
  if (typeof Worker === 'undefined') return 'This browser has no workers.'
  if (typeof WebAssembly === 'undefined' && !language.endsWith('script')) return 'This browser has no WebAssembly.'
  return undefined
}
