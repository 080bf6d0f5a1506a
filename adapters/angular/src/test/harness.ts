import '@angular/compiler'
import { Component, computed, InjectionToken, inject, provideZonelessChangeDetection, signal } from '@angular/core'
import { createApplication } from '@angular/platform-browser'
import type { AdapterHarness, ContractPart, ShownAgent } from '@domos/testing/adapter'
import {
  type Agent,
  type Approvals,
  injectAgent,
  injectAgentContext,
  injectApproval,
  injectTools,
  provideDomOS,
} from '../index.ts'

// The compiler of the tests strips types and nothing else, so decorators are called as the functions that they are.

const PARTS = new InjectionToken<() => readonly ContractPart[]>('parts')
const TAKE = new InjectionToken<(agent: Agent, approvals: Approvals) => void>('take')

class Part {
  readonly #part = signal<ContractPart>({ key: '' })
  constructor() {
    injectTools(() => this.#part().tools ?? [])
    injectAgentContext(() => this.#part().context)
  }
  set part(part: ContractPart) {
    this.#part.set(part)
  }
}
Component({ selector: 'x-part', template: '', inputs: ['part'] })(Part)

class Shown {
  readonly #agent = injectAgent()
  readonly #approvals = injectApproval()
  readonly text = computed(() => {
    const { state, isConnected, isThinking, response, isStreaming, error } = this.#agent
    const shown: ShownAgent = {
      state: state(),
      isConnected: isConnected(),
      isThinking: isThinking(),
      response: response(),
      isStreaming: isStreaming(),
      error: error()?.code ?? '',
      pending: this.#approvals.pending().map(({ toolName }) => toolName),
    }
    return JSON.stringify(shown)
  })
  constructor() {
    inject(TAKE)(this.#agent, this.#approvals)
  }
}
Component({ selector: 'x-shown', template: '<pre>{{ text() }}</pre>' })(Shown)

class App {
  readonly parts = inject(PARTS)
}
Component({
  selector: 'x-app',
  imports: [Part, Shown],
  template: '@for (part of parts(); track part.key) { <x-part [part]="part" /> } <x-shown />',
})(App)

/** Pages of Angular components without zones, for the contract. */
export const harness: AdapterHarness = {
  async mount(options, first) {
    const parts = signal(first)
    let agent: Agent | undefined
    let approvals: Approvals | undefined
    const take = (mine: Agent, asked: Approvals) => {
      agent = mine
      approvals = asked
    }
    const providers = [
      provideZonelessChangeDetection(),
      { provide: PARTS, useValue: parts },
      { provide: TAKE, useValue: take },
    ]
    const app = await createApplication({ providers: [...providers, provideDomOS(options)] })
    const box = document.body.appendChild(document.createElement('x-app'))
    app.bootstrap(App, box)
    if (!agent) throw new Error('The page was not rendered.')
    return {
      client: agent.client,
      render: (next) => parts.set(next),
      shown: () => JSON.parse(box.querySelector('pre')?.textContent ?? '') as ShownAgent,
      sendText: (text) => void agent?.sendText(text),
      stop: () => agent?.stop(),
      approve: () => void approvals?.approve(),
      deny: () => void approvals?.deny(),
      unmount() {
        if (!app.destroyed) app.destroy()
        box.remove()
      },
    }
  },
}
