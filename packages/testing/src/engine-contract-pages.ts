/** Pages of the contract's site by path. `{other}` is the origin of the same site under another name. */
export const CONTRACT_PAGES: Readonly<Record<string, string>> = {
  '/plain': page(
    'Plain',
    '<h1>Plain page</h1><p>Just words.</p><a href="/second">Second</a> <a href="/plain#part">Part</a><h2 id="part">Part</h2>',
  ),
  '/second': page('Second', '<h1>Second page</h1><a href="/plain">Back to the plain one</a>'),
  '/form': page(
    'Form',
    `<form action="/echo"><label>Name <input name="name" value="old"></label>
     <label>Colour <select name="colour"><option value="r">Red</option><option value="g">Green</option><option value="b" disabled>Blue</option></select></label>
     <label>Day <input type="date" name="day"></label> <label>Level <input type="range" name="level" min="0" max="10" value="1"></label>
     <label><input type="checkbox" name="news"> News</label>
     <style>.gone{position:absolute;opacity:0}</style><input type="checkbox" class="gone" id="hid" name="hid"><label for="hid">Hidden box</label>
     <label>Locked <input name="locked" value="x" readonly></label> <label>Off <input name="off" disabled></label>
     <label>Code <input type="password" name="code" value="swordfish"></label>
     <label>Note <textarea name="note"></textarea></label>
     <button>Send</button> <button type="button" disabled>Never</button></form>`,
  ),
  '/upload': page(
    'Upload',
    '<form method="post" enctype="multipart/form-data" action="/echo"><label>File <input type="file" name="file"></label><button>Send file</button></form>',
  ),
  '/refresh':
    '<!doctype html><meta http-equiv="refresh" content="0;url=/second"><title>Old</title><h1>Old address</h1>',
  '/target': page('Target', '<a href="/second" target="_blank">Open beside</a>'),
  '/hidden': page('Hidden', '<p>Shown words</p><p style="display:none">Gone words</p><p hidden>Also gone</p>'),
  '/downloads': page('Downloads', '<a href="/file">Report</a> <a href="/big-file">Big one</a>'),
  '/frames': page(
    'Frames',
    '<button onclick="this.textContent=\'outer pressed\'">Same</button><iframe src="/frame-inner"></iframe><iframe src="{other}/frame-far"></iframe>',
  ),
  '/frame-inner': page('Inner', '<button onclick="this.textContent=\'inner pressed\'">Near</button>'),
  '/frame-far': page(
    'Far',
    '<button onclick="this.textContent=\'far pressed\'">Distant</button><label>Far field <input></label>',
  ),
  '/app': page(
    'App',
    `<h1>Shop</h1><ul id="list"></ul><nav><a href="/app/two">Route</a></nav><div id="view">home</div><button id="add">Add</button>
     <script>
      fetch('/late-data').then((answer) => answer.json()).then(({ items }) => { list.innerHTML = items.map((item) => '<li>' + item + '</li>').join('') })
      document.querySelector('nav a').addEventListener('click', (event) => { event.preventDefault(); history.pushState({}, '', '/app/two'); view.textContent = 'second view'; document.title = 'App two' })
      addEventListener('popstate', () => { view.textContent = 'home'; document.title = 'App' })
      add.addEventListener('click', () => list.append(Object.assign(document.createElement('li'), { textContent: 'Added' })))
     </script>`,
  ),
  '/components': page(
    'Components',
    `<x-card>slotted words</x-card><y-card></y-card>
     <script>
      customElements.define('x-card', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<button>Open one</button><slot></slot>' } })
      customElements.define('y-card', class extends HTMLElement { constructor() { super(); const root = this.attachShadow({ mode: 'closed' }); root.innerHTML = '<div id=in></div>'
        root.getElementById('in').attachShadow({ mode: 'closed' }).innerHTML = '<button>Closed one</button>'; root.getElementById('in').shadowRoot
        document.title = String(this.shadowRoot) + ' ' + root.mode } })
      addEventListener('click', (event) => { document.title = 'pressed ' + event.target.localName }, true)
     </script>`,
  ),
  '/dialogs': page(
    'Dialogs',
    `<button onclick="document.title = String(confirm('Really?'))">Confirm</button><button onclick="document.title = String(prompt('Name?', 'Ann'))">Prompt</button>
     <button onclick="window.addEventListener('beforeunload', (event) => event.preventDefault()); document.title = 'guarded'">Guard</button>`,
  ),
  '/popup': page(
    'Popup',
    '<button onclick="window.open(\'/second\')">Open by script</button><button onclick="location.href = \'/second\'">Go by script</button>',
  ),
  '/controlled': page(
    'Controlled',
    `<label>Note <input id="note"></label><div contenteditable aria-label="Rich" id="rich"></div><p id="said"></p>
     <script>
      let state = ''; let value = ''
      const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
      Object.defineProperty(note, 'value', { get() { return own.get.call(note) }, set(next) { value = String(next); own.set.call(note, next) } })
      note.addEventListener('input', (event) => { if (own.get.call(note) === value) return; value = own.get.call(note); state = value; said.textContent = 'state ' + state + ' trusted ' + event.isTrusted })
      rich.addEventListener('input', () => { document.title = 'rich ' + rich.textContent })
     </script>`,
  ),
  '/combobox': page(
    'Combobox',
    `<label>City <input id="city" role="combobox" aria-controls="cities" aria-expanded="false"></label><ul id="cities" role="listbox" hidden></ul>
     <div role="combobox" aria-label="Size" tabindex="0" aria-controls="sizes" id="size">none</div><ul id="sizes" role="listbox" hidden><li role="option">Small</li><li role="option">Large</li></ul>
     <script>
      city.addEventListener('input', () => setTimeout(() => { cities.hidden = false; cities.innerHTML = ['Berlin', 'Bern'].map((name) => '<li role="option">' + name + '</li>').join('') }, 300))
      cities.addEventListener('click', (event) => { city.value = event.target.textContent; cities.hidden = true })
      size.addEventListener('click', () => { sizes.hidden = false })
      sizes.addEventListener('click', (event) => { size.textContent = event.target.textContent; sizes.hidden = true })
     </script>`,
  ),
  '/covered': page(
    'Covered',
    '<button onclick="document.title=\'reached\'">Under</button><div id="cover" style="position:fixed;inset:0;background:#fff"><button onclick="cover.remove()">Accept all</button></div>',
  ),
  '/keys': page(
    'Keys',
    '<label>Field <input id="field"></label><ol id="log"></ol><div style="height:3000px"></div><p>Far below</p><script>field.addEventListener("keydown", (event) => { document.title = [event.ctrlKey && "Control", event.key].filter(Boolean).join("+") })</script>',
  ),
  '/drag': page(
    'Drag',
    `<div id="from" draggable="true" role="button" tabindex="0">Card</div><div id="to" role="button" tabindex="0" style="margin-top:80px">Basket</div><button id="tip">Hover me</button>
     <script>
      from.addEventListener('dragstart', (event) => event.dataTransfer.setData('text/plain', 'card'))
      to.addEventListener('dragover', (event) => event.preventDefault())
      to.addEventListener('drop', (event) => { event.preventDefault(); document.title = 'dropped ' + event.dataTransfer.getData('text/plain') })
      tip.addEventListener('mouseenter', () => { document.title = 'hovered' })
     </script>`,
  ),
  '/busy': page(
    'Busy',
    `<p id="state">waiting</p><script>
      new WebSocket('ws://' + location.host + '/socket'); new EventSource('/events'); fetch('/never')
      setInterval(() => fetch('/poll'), 100)
      fetch('/late-data').then((answer) => answer.json()).then(() => { state.textContent = 'applied' })
     </script>`,
  ),
  '/broken': page(
    'Broken script',
    '<h1>Guide</h1><script>nothing.at.all()</script><script>syntax error here</script><button id="count">Count</button><script>count.onclick = () => { count.textContent = "counted" }</script>',
  ),
  '/endless': page('Endless', '<button onclick="for(;;);">Freeze</button><p>words</p>'),
  '/scrolling': page(
    'Scrolling',
    `<ul id="list"></ul><div id="end" style="height:20px"></div><script>
      let count = 0
      const more = () => { for (let at = 0; at < 30; at += 1) list.append(Object.assign(document.createElement('li'), { textContent: 'Row ' + ++count, style: 'height:40px' })) }
      new IntersectionObserver(([entry]) => { if (entry.isIntersecting && count < 300) more() }).observe(end); more()
     </script>`,
  ),
  '/virtual': page(
    'Virtual',
    `<div id="box" style="height:200px;overflow:auto"><div style="height:40000px;position:relative" id="inner"></div></div><script>
      const show = () => { const first = Math.floor(box.scrollTop / 40); inner.innerHTML = Array.from({ length: 8 }, (_, at) => '<button style="position:absolute;top:' + (first + at) * 40 + 'px">Item ' + (first + at) + '</button>').join('') }
      box.addEventListener('scroll', show); show()
     </script>`,
  ),
  '/script-redirect': '<!doctype html><title>Old</title><h1>Old</h1><script>location.replace("/second")</script>',
  '/environment': page(
    'Environment',
    `<p id="out"></p><script>out.textContent = [navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, innerWidth + 'x' + innerHeight, matchMedia('(prefers-color-scheme: dark)').matches, new Intl.NumberFormat().format(1234.5), navigator.userAgent].join(' | ')</script>`,
  ),
  // Its only script is linked and changes nothing that is shown, so that the source alone looks complete.
  '/handlers': page(
    'Handlers',
    `<h1>Handlers</h1><p>${'Plain words that stand in the source. '.repeat(12)}</p><form><button type="submit" formaction="/plain">Go on</button><div><span id="quiet" role="button" tabindex="0">Quiet one</span></div></form><script src="/handlers.js"></script>`,
  ),
  '/storage': page(
    'Storage',
    '<p id="out"></p><script>out.textContent = "kept " + localStorage.getItem("k"); </script>',
  ),
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main>${body}</main></body></html>`
}
