import { expect, test } from 'vitest'
import { addToManifest, readManifest, removeFromManifest } from './manifest.ts'

const resolved = [
  { name: 'polars', version: '1.9.0', integrity: 'sha256-a', size: null },
  { name: 'es-toolkit', version: '1.39.2', integrity: 'sha512-b', size: null },
]

test('addToManifest() makes a manifest, and writes the resolved version where the requirement names none', () => {
  expect(addToManifest('requirements.txt', undefined, { requirement: 'polars', resolved })).toBe('polars>=1.9.0\n')
  expect(addToManifest('package.json', undefined, { requirement: 'es-toolkit', resolved })).toBe(
    '{\n  "private": true,\n  "dependencies": {\n    "es-toolkit": "^1.39.2"\n  }\n}\n',
  )
})

test('addToManifest() leaves the rest of requirements.txt as it is', () => {
  const text = '# what the report needs\nPolars==1.0 # old\nhttpx[http2]\n\n'
  const added = addToManifest('requirements.txt', text, { requirement: 'polars>=1', resolved })
  expect(added).toBe('# what the report needs\npolars>=1\nhttpx[http2]\n\n')
  expect(addToManifest('requirements.txt', 'httpx', { requirement: 'polars>=1', resolved })).toBe('httpx\npolars>=1\n')
  expect(readManifest('requirements.txt', added)).toEqual(['polars>=1', 'httpx[http2]'])
  expect(removeFromManifest('requirements.txt', added, 'httpx')).toBe('# what the report needs\npolars>=1\n\n')
})

test('readManifest() skips options, comments and hashes of requirements.txt', () => {
  const text = '-r base.txt\n--index-url https://example.com/\n# polars\nidna==3.4 \\\n    --hash=sha256:aa\n'
  expect(readManifest('requirements.txt', text)).toEqual(['idna==3.4'])
})

test('addToManifest() keeps fields and indentation of package.json and sorts its dependencies', () => {
  const text = '{\n\t"name": "report",\n\t"dependencies": { "zod": "^4" }\n}\n'
  const added = addToManifest('package.json', text, { requirement: 'npm:es-toolkit@1', resolved })
  expect(added).toBe('{\n\t"name": "report",\n\t"dependencies": {\n\t\t"es-toolkit": "1",\n\t\t"zod": "^4"\n\t}\n}\n')
  expect(readManifest('package.json', added)).toEqual(['es-toolkit@1', 'zod@^4'])
  expect(readManifest('package.json', removeFromManifest('package.json', added, 'zod'))).toEqual(['es-toolkit@1'])
})

test('readManifest() names the file that it cannot read', () => {
  expect(() => readManifest('package.json', '{')).toThrow('Cannot read package.json')
  expect(() => readManifest('package.json', '[]')).toThrow('it must be an object')
})
