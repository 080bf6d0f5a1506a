export {
  type CodecBounds,
  type CompressionName,
  createFrameCodec,
  type DecodedFrame,
  type EncodedFrame,
  type Encoding,
  type FrameCodec,
  type WireFormat,
  type Zstd,
} from './codec.ts'
export { type Dialect, dialectOfHello } from './dialect.ts'
export {
  type Meta,
  type OutgoingEnvelope,
  type ReadRequest,
  type RequestEnvelope,
  type RequestId,
  readRequest,
} from './envelope.ts'
export { AWP_ERROR_CODES, type AwpError, type AwpErrorCode, toAwpError } from './errors.ts'
export { AWP_VERSIONS, type AwpLimits, defaultAwpLimits } from './limits.ts'
export { EVENTS, findMethod, METHODS, type MethodName, type MethodParams, type MethodRow } from './messages.ts'
