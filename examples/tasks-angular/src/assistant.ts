import { Component } from '@angular/core'
import { injectAgent } from '@domos/angular'

/** A conversation with the agent, in its simplest form. */
@Component({
  selector: 'tasks-assistant',
  template: `
    <section>
      <h2>Assistant</h2>
      <form (submit)="$event.preventDefault(); agent.sendText(message.value); message.value = ''">
        <label>Message <input #message required autocomplete="off"></label>
        <button type="submit">Send</button>
        <button type="button" (click)="agent.stop()">Stop</button>
      </form>
      <output>{{ agent.response() }}</output>
      <p>Connection: {{ agent.state() }}</p>
      @if (agent.error(); as error) {
        <p role="alert">{{ error.message }}</p>
      }
    </section>
  `,
})
export class Assistant {
  readonly agent = injectAgent()
}
