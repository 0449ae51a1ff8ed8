export { CapabilityError, type Capabilities, type Capability, type CapabilityMethod } from './capability.ts'
