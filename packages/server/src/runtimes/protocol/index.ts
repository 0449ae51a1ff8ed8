export { encodeFrame, FrameDecoder, maxFrameBytes, ProtocolError } from './frame.ts'
export {
  type GuestError,
  type GuestMessage,
  type GuestStream,
  guestStreams,
  type HostMessage,
  readGuestMessage,
  type StartProgram,
} from './messages.ts'
export { fromWire, toWire, type WireValue } from './value.ts'
