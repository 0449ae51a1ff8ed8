// the lists are data that forms show too; what they open is this room's to prove
export { networkPresets, type NetworkPreset } from '@coherex/contract'
