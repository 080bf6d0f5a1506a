// Shows what /healthz says, every few seconds while the page is visible.

const DOORS = { adtp: 'Page door (ADTP)', voice: 'Voice door', awp: 'Browser door (AWP)' }
const POLL_MS = 3_000

const byId = (id) => document.getElementById(id)

function element(name, text, className) {
  const node = document.createElement(name)
  if (text !== undefined) node.textContent = text
  if (className !== undefined) node.className = className
  return node
}

function showDoors(doors) {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
  const cards = Object.entries(doors).map(([name, door]) => {
    const card = element('li', undefined, 'card')
    const count = door.connections === 1 ? '1 connection' : `${door.connections} connections`
    const turns = door.voice?.recentTurns
    card.append(
      element('strong', DOORS[name] ?? name),
      element('code', `${scheme}//${location.host}${door.paths[0]}`),
      element('span', count),
    )
    if (turns?.turns > 0) card.append(element('span', spokenTurns(turns)))
    return card
  })
  byId('doors').replaceChildren(...cards)
}

function spokenTurns({ turns, interrupted, voiceToVoiceMs, endpointMs, transcriptMs, firstTokenMs, firstAudioMs }) {
  const times = [
    ['answered after', voiceToVoiceMs],
    ['end of speech noticed after', endpointMs],
    ['words after', transcriptMs],
    ['first token after', firstTokenMs],
    ['first sound after', firstAudioMs],
  ]
  const known = times.filter(([, ms]) => ms !== undefined).map(([name, ms]) => `${name} ${ms} ms`)
  return [`${turns} spoken turns, ${interrupted} of the last interrupted`, ...known].join('; ')
}

function duration(ms) {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return `${Math.floor(ms / 1_000)} s`
  if (minutes < 120) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

function flatten(value, path = '') {
  if (value === null || typeof value !== 'object') return [[path, String(value)]]
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, path === '' ? key : `${path} ${key}`))
}

function showFacts({ status: _status, doors: _doors, uptimeMs, demo: _demo, ...facts }) {
  const rows = [['up for', duration(uptimeMs)], ...flatten(facts)]
  byId('facts').replaceChildren(...rows.flatMap(([name, text]) => [element('dt', name), element('dd', text)]))
}

async function refresh() {
  const status = byId('status')
  try {
    const response = await fetch('healthz', { cache: 'no-store' })
    const health = await response.json()
    status.dataset.state = 'ok'
    const text = health.status === 'ok' ? 'Running' : health.status
    if (status.textContent !== text) status.textContent = text
    byId('demo').hidden = health.demo !== true
    showDoors(health.doors)
    showFacts(health)
  } catch {
    status.dataset.state = 'lost'
    status.textContent = 'The server does not answer.'
  }
}

await refresh()
setInterval(() => {
  if (document.visibilityState === 'visible') refresh()
}, POLL_MS)
