import { Component, signal } from '@angular/core'
import { injectAgentContext, injectTool } from '@domos/angular'
import { z } from 'zod'

/** A list of tasks that the person and the agent work on together. */
@Component({
  selector: 'tasks-list',
  template: `
    <main>
      <h1>Tasks</h1>
      <form (submit)="$event.preventDefault(); add(title.value); title.value = ''">
        <label>Title of the task <input #title required maxlength="80" autocomplete="off"></label>
        <button type="submit">Add</button>
      </form>
      <ul>
        @for (task of tasks(); track $index) {
          <li>{{ task }}</li>
        }
      </ul>
      <button type="button" (click)="tasks.set([])">Clear all</button>
    </main>
  `,
})
export class Tasks {
  readonly tasks = signal<readonly string[]>([])

  constructor() {
    injectAgentContext(() => ({ page: 'tasks', tasks: this.tasks() }))
    injectTool({
      name: 'add_task',
      description: 'Add a task to the list',
      parameters: z.object({ title: z.string().min(1).max(80).describe('What there is to do') }),
      risk: 'low',
      handler: ({ title }) => {
        this.add(title)
        return { added: title }
      },
    })
    injectTool(() => ({
      name: 'clear_tasks',
      description: 'Delete all tasks of the list',
      risk: 'high',
      enabled: this.tasks().length > 0,
      handler: () => {
        const deleted = this.tasks().length
        this.tasks.set([])
        return { deleted }
      },
    }))
  }

  add(title: string): void {
    this.tasks.update((tasks) => [...tasks, title])
  }
}
