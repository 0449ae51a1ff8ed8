import { resolveDrizzleOnce } from '../../src/quicken-start.ts'

// each file of tests has a process of its own, and most of them load the store
resolveDrizzleOnce()
