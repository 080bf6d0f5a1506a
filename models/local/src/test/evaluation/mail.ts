import type { JsonObject, PageContext, ToolDeclaration } from '@domos/spec'
import type { Sentence } from './sentence.ts'

const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
})
const messageId = { type: 'string', description: 'Id of the message' }

/** A mail program's tools. */
export const MAIL_TOOLS: readonly ToolDeclaration[] = [
  {
    name: 'list_messages',
    description: 'List the messages of a folder',
    risk: 'none',
    parameters: object({
      folder: { type: 'string', enum: ['inbox', 'sent', 'drafts', 'spam', 'trash'] },
      unread: { type: 'boolean', description: 'Only unread ones' },
    }),
  },
  {
    name: 'search_messages',
    description: 'Find messages by words',
    risk: 'none',
    parameters: object({ query: { type: 'string' } }, ['query']),
  },
  {
    name: 'open_message',
    description: 'Show one message',
    risk: 'none',
    parameters: object({ messageId }, ['messageId']),
  },
  {
    name: 'send_message',
    description: 'Write and send a new message',
    risk: 'high',
    parameters: object(
      { to: { type: 'string', format: 'email' }, subject: { type: 'string' }, body: { type: 'string' } },
      ['to', 'body'],
    ),
  },
  {
    name: 'reply_to_message',
    description: 'Reply to a message',
    risk: 'high',
    parameters: object({ messageId, body: { type: 'string' } }, ['messageId', 'body']),
  },
  {
    name: 'forward_message',
    description: 'Forward a message to somebody else',
    risk: 'high',
    parameters: object({ messageId, to: { type: 'string', format: 'email' } }, ['messageId', 'to']),
  },
  {
    name: 'archive_message',
    description: 'Move a message to the archive',
    risk: 'low',
    parameters: object({ messageId }, ['messageId']),
  },
  {
    name: 'delete_message',
    description: 'Delete a message',
    risk: 'high',
    parameters: object({ messageId }, ['messageId']),
  },
  {
    name: 'mark_message',
    description: 'Mark a message as read or unread',
    risk: 'none',
    parameters: object({ messageId, read: { type: 'boolean' } }, ['messageId', 'read']),
  },
  {
    name: 'create_folder',
    description: 'Create a new mail folder',
    risk: 'low',
    parameters: object({ name: { type: 'string' } }, ['name']),
  },
]

const INBOX: PageContext = {
  url: '/mail/inbox',
  title: 'Inbox',
  data: {
    folder: 'inbox',
    messages: [
      {
        id: 'm-401',
        from: 'Nadia Brandt',
        subject: 'Invoice for March',
        receivedAt: '2027-03-03T08:10:00Z',
        read: false,
      },
      {
        id: 'm-402',
        from: 'City Library',
        subject: 'Your books are due',
        receivedAt: '2027-03-02T17:30:00Z',
        read: false,
      },
      { id: 'm-403', from: 'Oskar Lind', subject: 'Hiking on Sunday', receivedAt: '2027-03-02T09:00:00Z', read: true },
      { id: 'm-404', from: 'Prize Office', subject: 'You have won', receivedAt: '2027-03-01T22:45:00Z', read: true },
    ],
    contacts: [
      { name: 'Nadia Brandt', email: 'nadia@brandt.example' },
      { name: 'Oskar Lind', email: 'oskar@lind.example' },
    ],
  },
}
const OPEN: PageContext = {
  url: '/mail/m-403',
  title: 'Hiking on Sunday',
  data: { messageId: 'm-403', from: 'Oskar Lind', subject: 'Hiking on Sunday' },
}

const call = (name: string, args: JsonObject) => ({ name, args })

/** Twenty things said to a mail program. */
export const MAIL_SENTENCES: readonly Sentence[] = [
  { say: ['show me my unread mail'], context: INBOX, calls: [call('list_messages', { unread: true })] },
  { say: ['what is in the spam folder?'], context: INBOX, calls: [call('list_messages', { folder: 'spam' })] },
  { say: ['open the message from the library'], context: INBOX, calls: [call('open_message', { messageId: 'm-402' })] },
  { say: ['read the first one'], context: INBOX, calls: [call('open_message', { messageId: 'm-401' })] },
  { say: ['find all mails about taxes'], context: INBOX, calls: [call('search_messages', { query: 'taxes' })] },
  {
    say: ['delete the email from the prize office'],
    context: INBOX,
    calls: [call('delete_message', { messageId: 'm-404' })],
  },
  { say: ['Archive the invoice, please.'], context: INBOX, calls: [call('archive_message', { messageId: 'm-401' })] },
  {
    say: ['mark the library mail as read'],
    context: INBOX,
    calls: [call('mark_message', { messageId: 'm-402', read: true })],
  },
  { say: ['mark this as unread'], context: OPEN, calls: [call('mark_message', { messageId: 'm-403', read: false })] },
  {
    say: ['reply that I will be there at nine'],
    context: OPEN,
    calls: [call('reply_to_message', { messageId: 'm-403', body: 'I will be there at nine' })],
  },
  {
    say: ['send a mail to kim@post.example with the subject "Lunch" saying shall we meet at noon'],
    context: INBOX,
    calls: [call('send_message', { to: 'kim@post.example', subject: 'Lunch', body: 'shall we meet at noon' })],
  },
  {
    say: ['write to Nadia: the invoice is paid'],
    context: INBOX,
    calls: [call('send_message', { to: 'nadia@brandt.example', body: 'the invoice is paid' })],
  },
  {
    say: ['forward the hiking mail to nadia@brandt.example'],
    context: INBOX,
    calls: [call('forward_message', { messageId: 'm-403', to: 'nadia@brandt.example' })],
  },
  {
    say: ['forward it to Nadia'],
    context: OPEN,
    calls: [call('forward_message', { messageId: 'm-403', to: 'nadia@brandt.example' })],
    contacts: true,
  },
  { say: ['create a folder called Receipts'], context: INBOX, calls: [call('create_folder', { name: 'Receipts' })] },
  {
    say: ['delete the last message and archive the first one'],
    context: INBOX,
    calls: [call('delete_message', { messageId: 'm-404' }), call('archive_message', { messageId: 'm-401' })],
  },
  {
    say: ['search for the contract and open the newest one'],
    context: { url: '/mail', title: 'Mail' },
    calls: [call('search_messages', { query: 'contract' }), call('open_message', { messageId: 'm-77' })],
    results: {
      search_messages: {
        messages: [
          { id: 'm-70', subject: 'Contract draft', date: '2027-01-10' },
          { id: 'm-77', subject: 'Contract signed', date: '2027-02-20' },
        ],
      },
    },
  },
  { say: ['do not delete anything'], context: INBOX, calls: [] },
  { say: ['print the invoice'], context: INBOX, calls: [] },
  {
    say: ['reply to Oskar', 'sounds great'],
    context: INBOX,
    calls: [call('reply_to_message', { messageId: 'm-403', body: 'sounds great' })],
  },
]
