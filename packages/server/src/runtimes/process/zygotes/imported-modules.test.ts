import { expect, test } from 'vitest'
import { importedModules } from './imported-modules.ts'

test('importedModules() tells what a text imports, with the parts of packages', () => {
  const code = `import polars as pl, json
from sklearn.linear_model import Ridge
def late():
    import a.b.c
from . import own
from .own import x
print("import nothing")
# import nothing
import polars`
  expect(importedModules(code)).toEqual(['polars', 'json', 'sklearn.linear_model', 'a.b.c'])
})

test('importedModules() looks at a million lines once', () => {
  expect(importedModules(`${'\n'.repeat(1_000_000)}import polars`)).toEqual(['polars'])
})
