import { hostilePrograms } from './hostile.contract.ts'

hostilePrograms('sandbox')
