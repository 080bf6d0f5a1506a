import type { JsonObject, PageContext, ToolDeclaration } from '@domos/spec'
import type { Sentence } from './sentence.ts'

const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
})
const room = { type: 'string', enum: ['kitchen', 'living room', 'bedroom', 'bathroom', 'hall'] }

/** A smart home's tools. */
export const HOME_TOOLS: readonly ToolDeclaration[] = [
  {
    name: 'set_light',
    description: 'Switch the light of a room on or off, or dim it',
    risk: 'none',
    parameters: object(
      {
        room,
        on: { type: 'boolean' },
        brightness: { type: 'integer', minimum: 0, maximum: 100, description: 'Percent' },
      },
      ['room'],
    ),
  },
  {
    name: 'set_temperature',
    description: 'Set the heating of a room',
    risk: 'low',
    parameters: object({ room, degrees: { type: 'number', minimum: 5, maximum: 30 } }, ['room', 'degrees']),
  },
  {
    name: 'get_temperature',
    description: 'Tell how warm a room is',
    risk: 'none',
    parameters: object({ room }, ['room']),
  },
  {
    name: 'lock_door',
    description: 'Lock a door',
    risk: 'low',
    parameters: object({ door: { type: 'string', enum: ['front', 'back', 'garage'] } }, ['door']),
  },
  {
    name: 'unlock_door',
    description: 'Unlock a door',
    risk: 'critical',
    parameters: object({ door: { type: 'string', enum: ['front', 'back', 'garage'] } }, ['door']),
  },
  {
    name: 'open_blinds',
    description: 'Open the blinds of a room',
    risk: 'none',
    parameters: object({ room }, ['room']),
  },
  {
    name: 'close_blinds',
    description: 'Close the blinds of a room',
    risk: 'none',
    parameters: object({ room }, ['room']),
  },
  {
    name: 'play_music',
    description: 'Play music in a room',
    risk: 'none',
    parameters: object({ query: { type: 'string', description: 'Artist, song or genre' }, room }, ['query']),
  },
  { name: 'stop_music', description: 'Stop the music', risk: 'none', parameters: object({}) },
  {
    name: 'set_alarm',
    description: 'Set an alarm clock',
    risk: 'none',
    parameters: object({ time: { type: 'string', description: 'HH:MM' } }, ['time']),
  },
  { name: 'start_vacuum', description: 'Start the robot vacuum cleaner', risk: 'low', parameters: object({}) },
]

const PANEL: PageContext = {
  url: '/home',
  title: 'Home',
  data: { rooms: ['kitchen', 'living room', 'bedroom', 'bathroom', 'hall'], alarm: { armed: false } },
}
const call = (name: string, args: JsonObject) => ({ name, args })

/** Twenty things said to a home. */
export const HOME_SENTENCES: readonly Sentence[] = [
  { say: ['turn on the kitchen lights'], context: PANEL, calls: [call('set_light', { room: 'kitchen', on: true })] },
  { say: ['switch the bedroom light off'], context: PANEL, calls: [call('set_light', { room: 'bedroom', on: false })] },
  {
    say: ['dim the living room to thirty percent'],
    context: PANEL,
    calls: [call('set_light', { room: 'living room', brightness: 30 })],
  },
  { say: ['lights off in the hall'], context: PANEL, calls: [call('set_light', { room: 'hall', on: false })] },
  {
    say: ['set the bathroom to 23 degrees'],
    context: PANEL,
    calls: [call('set_temperature', { room: 'bathroom', degrees: 23 })],
  },
  {
    say: ['make the bedroom 18.5 degrees warm'],
    context: PANEL,
    calls: [call('set_temperature', { room: 'bedroom', degrees: 18.5 })],
  },
  {
    say: ['how warm is it in the living room?'],
    context: PANEL,
    calls: [call('get_temperature', { room: 'living room' })],
  },
  {
    say: ["what's the temperature in the kitchen"],
    context: PANEL,
    calls: [call('get_temperature', { room: 'kitchen' })],
  },
  { say: ['lock the front door'], context: PANEL, calls: [call('lock_door', { door: 'front' })] },
  { say: ['could you please unlock the garage?'], context: PANEL, calls: [call('unlock_door', { door: 'garage' })] },
  { say: ['open the blinds in the bedroom'], context: PANEL, calls: [call('open_blinds', { room: 'bedroom' })] },
  {
    say: ['shut the curtains in the living room'],
    context: PANEL,
    calls: [call('close_blinds', { room: 'living room' })],
  },
  {
    say: ['play some jazz in the kitchen'],
    context: PANEL,
    calls: [call('play_music', { query: 'jazz', room: 'kitchen' })],
  },
  { say: ['stop the music'], context: PANEL, calls: [call('stop_music', {})] },
  { say: ['wake me at half past six'], context: PANEL, calls: [call('set_alarm', { time: '06:30' })] },
  { say: ['set an alarm for 7:15'], context: PANEL, calls: [call('set_alarm', { time: '07:15' })] },
  {
    say: ['lock the back door and turn off the light in the hall'],
    context: PANEL,
    calls: [call('lock_door', { door: 'back' }), call('set_light', { room: 'hall', on: false })],
  },
  { say: ['vacuum the floor'], context: PANEL, calls: [call('start_vacuum', {})] },
  { say: ['water the garden'], context: PANEL, calls: [] },
  {
    say: ['turn on the light', 'in the bathroom'],
    context: PANEL,
    calls: [call('set_light', { room: 'bathroom', on: true })],
  },
]
