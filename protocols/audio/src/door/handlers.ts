import { DomosError, type JsonObject, toDomosError } from '@domos/spec'
import { readConfig } from '../config.ts'
import type { DeviceFacts } from '../devices/registry.ts'
import { deviceDialect, isPage } from '../dialects.ts'
import { closeCodes } from '../limits.ts'
import type { ToServer, ToServerMessage, ToServerType } from '../messages.ts'
import { messagesToServer } from '../messages-to-server.ts'
import type { ChangeResult, PeerPort } from './peer-port.ts'

type HandlerName = (typeof messagesToServer)[ToServerType]['handler']
type MessageOf<H extends HandlerName> = {
  [T in ToServerType]: (typeof messagesToServer)[T]['handler'] extends H ? ToServer<T> : never
}[ToServerType]
type Handlers = { readonly [H in HandlerName]: (peer: PeerPort, message: MessageOf<H>) => void }

/** Messages that work between two sessions; every other one opens the next. */
const sessionless: ReadonlySet<ToServerType> = new Set(['status', 'session_end'])

/** Does what a control message asks for. `text` is the frame it came in. */
export function handleMessage(peer: PeerPort, message: ToServerMessage, text: string): void {
  const { origin, handler } = messagesToServer[message.type]
  if (origin === 'device' && peer.dialect.name === 'document') {
    if (isPage(peer.upgrade.origin)) {
      peer.error({ code: 'unknown_type', message: `"${message.type}" is for devices.`, path: 'type' })
      return
    }
    peer.dialect = deviceDialect
  }
  if (peer.voiceSession === undefined && !sessionless.has(message.type)) {
    peer.openSession(text)
    return
  }
  // The handler's name and the message's type come from the same row.
  const handle = handlers[handler] as (peer: PeerPort, message: ToServerMessage) => void
  handle(peer, message)
}

const handlers: Handlers = {
  onSessionStart(peer, message) {
    const { deviceId, joinToken, resumeToken, audio } = message
    const start = async (): Promise<ChangeResult> => {
      if (deviceId !== undefined) await takeDeviceId(peer, deviceId, {})
      takeAudio(peer, audio, 1)
      if (joinToken !== undefined) return await join(peer, joinToken)
      if (resumeToken !== undefined) return resume(peer, resumeToken)
      return { unchanged: true }
    }
    const needsWork = joinToken !== undefined || resumeToken !== undefined
    if (!needsWork && (deviceId === undefined || deviceId === peer.deviceId)) takeAudioOrReport(peer, audio, 1)
    else peer.change(start)
  },
  onSessionEnd(peer) {
    peer.endSession()
  },
  onConfig(peer, { config = {} }) {
    // Parsed from JSON, so its values are JSON values.
    const change = readConfig(config as JsonObject)
    if (!change.ok) {
      peer.error({ code: 'invalid_config', message: change.message, path: change.path })
      return
    }
    const { voiceSession } = peer
    if (voiceSession === undefined) return
    try {
      const effective = voiceSession.conversation.configure(change.voice)
      peer.voiceConfig = { ...peer.voiceConfig, ...change.voice }
      peer.connectionConfig = { ...peer.connectionConfig, ...change.connection }
      const { resume } = peer.connectionConfig
      if (resume) peer.resumeToken ??= peer.context.resumables.newToken()
      else peer.resumeToken = undefined
      peer.send({
        type: 'config',
        sessionId: voiceSession.id,
        config: withoutUndefined({ ...effective, ...peer.connectionConfig }),
        ...(change.connection.resume !== true || peer.resumeToken === undefined
          ? {}
          : { details: { resumeToken: peer.resumeToken, resumeTtlMs: peer.context.limits.resumeTtlMs } }),
      })
    } catch (thrown) {
      const error = toDomosError(thrown)
      const path = typeof error.details.path === 'string' ? `config.${error.details.path}` : 'config'
      peer.error({
        code: error.code === 'invalid_request' ? 'invalid_config' : error.code,
        message: error.message,
        path,
      })
    }
  },
  onStatus(peer, { type: _, ...facts }) {
    const { counters, connectedAt, voiceSession, deviceId, provenDeviceId } = peer
    peer.send({
      type: 'status',
      ...(voiceSession === undefined ? {} : { sessionId: voiceSession.id }),
      details: { connectedAt, ...counters, uptime: peer.uptimeMs },
    })
    const telemetry = withoutUndefined(facts) as Record<string, number | boolean>
    if (deviceId !== undefined && peer.dialect.name !== 'document' && Object.keys(telemetry).length > 0) {
      void peer.context.devices?.noteTelemetry(deviceId, telemetry, provenDeviceId === deviceId)
    }
  },
  onCommit(peer) {
    peer.voiceSession?.conversation.commit()
  },
  onListen(peer) {
    peer.voiceSession?.conversation.arm()
  },
  onInterrupt(peer, { reason = 'asked by the client' }) {
    peer.voiceSession?.conversation.interrupt(reason)
  },
  onText(peer, { text }) {
    const { maxTypedChars } = peer.context.limits
    const trimmed = text.trim()
    if (trimmed.length > maxTypedChars) {
      peer.error({ code: 'too_large', message: `A text may have ${maxTypedChars} characters.`, path: 'text' })
    } else if (trimmed !== '') peer.voiceSession?.conversation.say(trimmed)
  },
  onDeviceRegister(peer, { deviceId, capabilities, firmware_version: firmware }) {
    registerDevice(peer, deviceId, capabilities, firmware, undefined)
  },
  onDeviceInfo(peer, { deviceId, capabilities, firmware, audio }) {
    registerDevice(peer, deviceId, capabilities, firmware, audio)
  },
  onWakeAudio(peer) {
    peer.voiceSession?.conversation.arm()
    // Never refuses: the wake word was heard on the device, and a wrong no costs a person more than a wrong yes.
    peer.send({ type: 'wake_verification', verified: true })
  },
}

type DeclaredAudio = ToServer<'device_info'>['audio']

function registerDevice(
  peer: PeerPort,
  deviceId: string,
  capabilities: Readonly<Record<string, unknown>> | undefined,
  firmware: string | undefined,
  audio: DeclaredAudio,
): void {
  const facts: DeviceFacts = {
    type: 'esp32',
    ...(capabilities === undefined ? {} : { capabilities: namesOf(capabilities) }),
    ...(firmware === undefined ? {} : { firmware }),
  }
  peer.change(async () => {
    await takeDeviceId(peer, deviceId, facts)
    takeAudio(peer, audio, peer.dialect.otherRateChannels)
    return { unchanged: true }
  })
}

/** Capabilities that are on, in one spelling: `wakeWord` and `wake_word` are the same. */
function namesOf(capabilities: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(capabilities)
    .filter(([, value]) => value === true)
    .map(([name]) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
}

/** The connection goes by this id from now on. It is a label unless the peer has proved to be this device. */
async function takeDeviceId(peer: PeerPort, deviceId: string, facts: DeviceFacts): Promise<void> {
  const { devices } = peer.context
  if (peer.deviceId !== undefined && peer.deviceId !== deviceId) {
    throw new DomosError(
      'conflict',
      `This connection belongs to the device ${peer.deviceId}; open another for ${deviceId}.`,
      {
        details: { path: 'deviceId' },
      },
    )
  }
  const isProven = peer.provenDeviceId === deviceId
  const known = await devices?.find(deviceId)
  if (known?.state === 'suspended' || known?.state === 'revoked') {
    peer.dismiss(closeCodes.policy, `Device ${known.state}`)
    return
  }
  if (known?.secretSha256 !== undefined && !isProven) {
    throw new DomosError(
      'unauthorized',
      `The device ${deviceId} has a secret; connect with it as bearer token or ?token=.`,
      {
        details: { path: 'deviceId' },
      },
    )
  }
  peer.deviceId = deviceId
  await devices?.noteSeen(deviceId, facts, isProven)
}

function takeAudio(peer: PeerPort, audio: DeclaredAudio, otherRateChannels: 1 | 2): void {
  if (audio === undefined) return
  const { sampleRate = 16_000, bitDepth = 16 } = audio
  // Devices declare what their converter does; on the wire they send 16 bits.
  if (bitDepth !== 16 && peer.dialect.name === 'document') {
    throw new DomosError('unsupported', 'Only 16-bit samples can be taken; convert before sending.', {
      details: { path: 'audio.bitDepth' },
    })
  }
  peer.setFormat(sampleRate, audio.channels ?? (sampleRate === 16_000 ? 1 : otherRateChannels))
}

function takeAudioOrReport(peer: PeerPort, audio: DeclaredAudio, otherRateChannels: 1 | 2): void {
  try {
    takeAudio(peer, audio, otherRateChannels)
  } catch (thrown) {
    const { code, message, details } = toDomosError(thrown)
    peer.error({ code, message, ...(typeof details.path === 'string' ? { path: details.path } : {}) })
  }
}

async function join(peer: PeerPort, joinToken: string): Promise<ChangeResult> {
  const { remoteAddress } = peer.upgrade
  const session = await peer.context.redeemJoinToken?.(joinToken, peer.principal, remoteAddress)
  if (session !== undefined) return { session, isOwn: false }
  throw new DomosError('not_found', 'The join token is unknown, used or expired.', { details: { path: 'joinToken' } })
}

function resume(peer: PeerPort, token: string): ChangeResult {
  // A client that lost its network is often back before the server has noticed.
  peer.context.detachLive(token, peer.principal)
  const found = peer.context.resumables.take(token, peer.principal)
  if (found === undefined) return { unchanged: true, resumed: false }
  peer.voiceConfig = found.voiceConfig
  peer.connectionConfig = found.connectionConfig
  return { session: found.session, isOwn: found.isOwn, resumed: true }
}

function withoutUndefined(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
}
