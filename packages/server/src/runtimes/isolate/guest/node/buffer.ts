import * as buffer from 'buffer/'
import { atob, btoa } from '../base64.ts'

export const { Buffer } = buffer

export function createBufferModule(): object {
  return { Buffer, constants: { MAX_LENGTH: 2 ** 31 - 1 }, kMaxLength: 2 ** 31 - 1, atob, btoa }
}
