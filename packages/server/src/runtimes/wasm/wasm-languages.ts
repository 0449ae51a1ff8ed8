import { existsSync } from 'node:fs'
import type { Language } from '@coherex/contract'
import { compilerErrors, installHint, type ProcessLanguage } from '../process/index.ts'

const packages = ['clang', 'lld', 'wasi-libc', 'libclang-rt-dev-wasm32']
const fromApt = installHint({ install: { apt: packages } })

/** What the wasm runtime takes: modules as they are, and what a compiler here turns into one. */
export const wasmLanguages: Partial<Record<Language, ProcessLanguage>> = {
  wasm: { programs: [], version: [], install: { how: 'it comes with Coherex' } },
  c: {
    programs: ['clang', 'wasm-ld'],
    lacks: () => (existsSync('/usr/lib/wasm32-wasi') ? undefined : `a C library for WASI is missing: ${fromApt}`),
    version: ['--version'],
    install: { apt: packages },
    command: ([clang = '']) => ({
      compile: [clang, '--target=wasm32-wasi', '-O2', '-o', '{built}', '{entry}'],
      run: [],
      env: {},
      channel: 'none',
      errors: { compile: compilerErrors, run: [] },
    }),
  },
}
