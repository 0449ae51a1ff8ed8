import { describe } from 'vitest'
import { hostilePrograms } from '../hostile.contract.ts'

describe.runIf(process.getuid?.() === 0)('in a fork of a zygote', () => hostilePrograms('fork'))
