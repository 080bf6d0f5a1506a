import type { JsonObject, PageContext, ToolDeclaration } from '@domos/spec'
import { describe, expect, it } from 'vitest'
import { SHOP_TOOLS } from './test/shop.ts'
import { openTalk } from './test/talk.ts'

// Sentences the planner was developed with; the sixty of test/evaluation are others.

const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
})
const string = { type: 'string' }

const MUSIC: readonly ToolDeclaration[] = [
  {
    name: 'playSong',
    description: 'Plays a song by title',
    risk: 'none',
    parameters: object({ title: string, artist: string }, ['title']),
  },
  { name: 'pausePlayback', description: 'Pauses the music', risk: 'none', parameters: object({}) },
  {
    name: 'setVolume',
    description: 'Sets the volume in percent',
    risk: 'none',
    parameters: object({ percent: { type: 'number', minimum: 0, maximum: 100 } }, ['percent']),
  },
  { name: 'nextTrack', description: 'Skips to the next track', risk: 'none', parameters: object({}) },
  {
    name: 'setShuffle',
    description: 'Turns shuffle on or off',
    risk: 'none',
    parameters: object({ enabled: { type: 'boolean' } }, ['enabled']),
  },
  {
    name: 'addToPlaylist',
    description: 'Adds a song to a playlist',
    risk: 'low',
    parameters: object({ song: string, playlist: string }, ['song', 'playlist']),
  },
  {
    name: 'deletePlaylist',
    description: 'Deletes a playlist',
    risk: 'high',
    parameters: object({ playlist: string }, ['playlist']),
  },
]

const date = { type: 'string', format: 'date' }
const CALENDAR: readonly ToolDeclaration[] = [
  {
    name: 'create_event',
    description: 'Create a calendar event',
    risk: 'low',
    parameters: object(
      { title: string, date, time: { type: 'string', description: 'HH:MM' }, durationMinutes: { type: 'integer' } },
      ['title', 'date'],
    ),
  },
  { name: 'list_events', description: 'List events of a day', risk: 'none', parameters: object({ date }) },
  {
    name: 'cancel_event',
    description: 'Cancel an event',
    risk: 'high',
    parameters: object({ eventId: string }, ['eventId']),
  },
  {
    name: 'move_event',
    description: 'Move an event to another day or time',
    risk: 'low',
    parameters: object({ eventId: string, date, time: string }, ['eventId']),
  },
  {
    name: 'create_task',
    description: 'Add a task to the to-do list',
    risk: 'none',
    parameters: object({ text: string, priority: { type: 'string', enum: ['low', 'normal', 'high'] }, due: date }, [
      'text',
    ]),
  },
  {
    name: 'complete_task',
    description: 'Mark a task as done',
    risk: 'none',
    parameters: object({ taskId: string }, ['taskId']),
  },
]
const DIARY: PageContext = {
  title: 'Calendar',
  data: {
    events: [
      { id: 'e1', title: 'Dentist', date: '2027-03-04' },
      { id: 'e2', title: 'Team standup', date: '2027-03-04' },
    ],
    tasks: [
      { id: 't1', text: 'Buy milk' },
      { id: 't2', text: 'Call the plumber' },
    ],
  },
}

const CHECKOUT: readonly ToolDeclaration[] = [
  ...SHOP_TOOLS,
  {
    name: 'choose_delivery',
    description: 'Choose standard or express delivery for the order',
    risk: 'low',
    parameters: object({ method: { type: 'string', enum: ['standard', 'express'] } }, ['method']),
  },
]

const call = (name: string, args: JsonObject = {}) => ({ name, args })

describe('music', () => {
  it.each([
    ['play "Blue Train" by John Coltrane', call('playSong', { title: 'Blue Train', artist: 'John Coltrane' })],
    ['play Yesterday', call('playSong', { title: 'Yesterday' })],
    ['pause the music', call('pausePlayback')],
    ['set the volume to 30 percent', call('setVolume', { percent: 30 })],
    ['turn the volume up to eighty', call('setVolume', { percent: 80 })],
    ['volume 20', call('setVolume', { percent: 20 })],
    ['skip this track', call('nextTrack')],
    ['shuffle on', call('setShuffle', { enabled: true })],
    ['turn off shuffle', call('setShuffle', { enabled: false })],
    ['add Yesterday to my Oldies playlist', call('addToPlaylist', { song: 'Yesterday', playlist: 'Oldies' })],
    ['delete the playlist Workout', call('deletePlaylist', { playlist: 'Workout' })],
  ])('%s', async (utterance, expected) => {
    expect((await openTalk({ tools: MUSIC }).say(utterance)).calls).toEqual([expected])
  })
})

describe('calendar', () => {
  it.each([
    [
      'create an event called "Lunch with Eva" tomorrow at 12:30',
      [call('create_event', { title: 'Lunch with Eva', date: '2027-03-04', time: '12:30' })],
    ],
    [
      'schedule a meeting about budget on Friday at 3 pm for 45 minutes',
      [call('create_event', { title: 'budget', date: '2027-03-05', time: '15:00', durationMinutes: 45 })],
    ],
    ['what do I have tomorrow?', [call('list_events', { date: '2027-03-04' })]],
    ['cancel the dentist', [call('cancel_event', { eventId: 'e1' })]],
    [
      'move the dentist to next Monday at 8 am',
      [call('move_event', { eventId: 'e1', date: '2027-03-08', time: '08:00' })],
    ],
    ['move the standup to quarter past nine', [call('move_event', { eventId: 'e2', time: '09:15' })]],
    ['add a high priority task: pay the rent', [call('create_task', { priority: 'high', text: 'pay the rent' })]],
    ['mark call the plumber as done', [call('complete_task', { taskId: 't2' })]],
    [
      'complete the milk task and cancel the standup',
      [call('complete_task', { taskId: 't1' }), call('cancel_event', { eventId: 'e2' })],
    ],
  ])('%s', async (utterance, expected) => {
    expect((await openTalk({ tools: CALENDAR, context: DIARY }).say(utterance)).calls).toEqual(expected)
  })

  it('asks for one thing after the other', async () => {
    const talk = openTalk({ tools: CALENDAR, context: DIARY })
    expect((await talk.say('create an event')).text).toMatch(/title.*\?$/)
    expect((await talk.say('Party')).text).toMatch(/date.*\?$/)
    expect((await talk.say('saturday')).calls).toEqual([call('create_event', { title: 'Party', date: '2027-03-06' })])
  })
})

describe('order of things', () => {
  it('makes no risky call twice because it misread the first half', async () => {
    const { calls } = await openTalk({ tools: CHECKOUT }).say('use express and place the order')
    expect(calls).toEqual([call('choose_delivery', { method: 'express' }), call('confirm_order')])
    expect((await openTalk({ tools: CHECKOUT }).say('frobnicate and place the order')).calls).toEqual([
      call('confirm_order'),
    ])
  })

  it('knows tools by their descriptions behind a mark of origin', async () => {
    const tools = MUSIC.map((tool) => ({ ...tool, description: `[page tool] ${tool.description}` }))
    expect((await openTalk({ tools }).say('skip this track')).calls).toEqual([call('nextTrack')])
    expect((await openTalk({ tools }).say('help')).text).not.toContain('[page tool]')
  })

  it('sees the page again when only the newest message carries it', async () => {
    const talk = openTalk({ tools: SHOP_TOOLS })
    await talk.say('add something to my cart')
    talk.setContext({
      title: 'Shop',
      data: {
        products: [
          { id: 'p-1', name: 'Clay Pot' },
          { id: 'p-2', name: 'Hand Rake' },
        ],
      },
    })
    expect((await talk.say('the rake')).calls).toEqual([call('add_to_cart', { productId: 'p-2', quantity: 1 })])
  })
})
