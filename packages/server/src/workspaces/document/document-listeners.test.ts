import { CoherexError } from '@coherex/contract'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { anna } from '../test-workspaces.ts'
import { DocumentListeners } from './document-listeners.ts'

const update = new Uint8Array([1])

test('one that fails does not keep an update from the others', () => {
  const listeners = new DocumentListeners(pino({ level: 'silent' }))
  const heard: unknown[] = []
  listeners.onUpdate(() => {
    throw new Error('a fault of its own')
  })
  const leave = listeners.onUpdate((...told) => heard.push(told))
  listeners.tellUpdate(update, anna)
  leave()
  listeners.tellUpdate(update, anna)
  expect(heard).toEqual([[update, anna]])
})

test('the end is the last they hear, once', () => {
  const listeners = new DocumentListeners(pino({ level: 'silent' }))
  const heard: unknown[] = []
  listeners.onUpdate(() => heard.push('update'))
  listeners.onEnd((error) => heard.push(error?.code))
  listeners.tellEnd(new CoherexError('not_found', 'There is no such workspace'))
  listeners.tellUpdate(update, anna)
  listeners.tellEnd(undefined)
  expect(heard).toEqual(['not_found'])
})
