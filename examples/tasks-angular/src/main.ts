// Without Angular's own build the templates are compiled in the page.
import '@angular/compiler'
import { Component, provideZonelessChangeDetection } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { provideDomOS } from '@domos/angular'
import { Assistant } from './assistant.ts'
import { Tasks } from './tasks.ts'

@Component({ selector: 'tasks-app', imports: [Tasks, Assistant], template: '<tasks-list /><tasks-assistant />' })
class App {}

await bootstrapApplication(App, {
  providers: [provideZonelessChangeDetection(), provideDomOS({ endpoint: '/adtp' })],
})
