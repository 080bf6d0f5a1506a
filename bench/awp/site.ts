import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// A site of two pages that link to each other, about as large as a news front page (34 kB of HTML), in its own process.

const rows = (page: number): string =>
  Array.from({ length: 60 }, (_, index) => {
    const next = page === 1 ? 2 : 1
    return (
      `<tr class="athing" id="row${index}"><td class="title" align="right"><span class="rank">${index + 1}.</span></td>` +
      `<td><a id="up_${index}" class="votelink" href="/vote?id=${index}"><div class="votearrow" title="upvote"></div></a></td>` +
      `<td class="title"><span class="titleline"><a href="/page${next}?from=${index}">Story ${index} of page ${page}, with words enough for a title</a>` +
      `<span class="sitebit comhead"> (<a href="/from?site=example${index}.org">example${index}.org</a>)</span></span></td></tr>` +
      `<tr><td colspan="2"></td><td class="subtext"><span class="subline"><span class="score">${index * 7} points</span> by ` +
      `<a href="/user?id=u${index}">somebody${index}</a> <a href="/item?id=${index}">${index} hours ago</a> | <a href="/item?id=${index}">${index * 3} comments</a></span></td></tr>`
    )
  }).join('')

const html = (page: number): string =>
  `<!doctype html><html lang="en"><head><title>Page ${page}</title></head><body><nav><a href="/page1">First</a> <a href="/page2">Second</a></nav>` +
  `<main><h1>Page ${page}</h1><table>${rows(page)}</table><form action="/page2"><label>Search <input name="q"></label><button>Go</button></form></main></body></html>`

const pages = new Map([
  ['/page1', html(1)],
  ['/page2', html(2)],
])
const server = createServer((request, response) => {
  const path = (request.url ?? '').split('?')[0] ?? ''
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(pages.get(path) ?? pages.get('/page1'))
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit())
