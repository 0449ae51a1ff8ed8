export { encodeFrame, FrameDecoder, FrameSplitter, maxFrameBytes } from './frame.ts'
export {
  type GuestError,
  type GuestMessage,
  type GuestResult,
  type GuestStream,
  type HostMessage,
  readGuestMessage,
  type StartProgram,
  toResult,
} from './messages.ts'
export { fromWire, toWire, type WireValue } from './value.ts'
