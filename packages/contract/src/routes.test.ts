import { expect, test } from 'vitest'
import { z } from 'zod'
import { allRoutes } from './index.ts'

test('no two routes have the same method and path', () => {
  const names = allRoutes.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
  expect(names.filter((one, at) => names.indexOf(one) !== at)).toEqual([])
})

test('each parameter in a path has a schema, and no other has', () => {
  for (const { path, params } of allRoutes) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect([path, Object.keys(params?.shape ?? {}).toSorted()]).toEqual([path, named.toSorted()])
  }
})

test('a GET has no body, and bodies name every field they take', () => {
  for (const { method, path, body } of allRoutes) {
    if (method === 'get') expect([path, body]).toEqual([path, undefined])
    // clients of OpenAI's API send whatever they know: its words are not ours to close
    if (path.startsWith('/v1/')) continue
    if (body && body !== 'bytes') expect([path, body.safeParse({ surelyUnknown: 1 }).success]).toEqual([path, false])
    if (body instanceof z.ZodObject) {
      const issues = body.safeParse({ surelyUnknown: 1 }).error?.issues ?? []
      expect([path, issues.some((one) => one.code === 'unrecognized_keys')]).toEqual([path, true])
    }
  }
})

test('a list is asked for in pages of at most 200', () => {
  for (const { path, query } of allRoutes) {
    if (!query || !('limit' in query.shape)) continue
    // rows of a table have numbers: a page of them begins at one
    // a search gives the best it found, and no second page
    if ('offset' in query.shape || 'q' in query.shape) continue
    const limit = query.shape['limit'] as z.ZodType
    expect([path, limit.safeParse('200').success, limit.safeParse('201').success]).toEqual([path, true, false])
    expect([path, 'cursor' in query.shape]).toEqual([path, true])
  }
})
