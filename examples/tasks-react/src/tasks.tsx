import { useAgentContext, useTool } from '@domos/react'
import { useState } from 'react'
import { z } from 'zod'

const task = z.object({ title: z.string().min(1).max(80).describe('What there is to do') })

/** A list of tasks that the person and the agent work on together. */
export function Tasks() {
  const [tasks, setTasks] = useState<readonly string[]>([])
  const add = (title: string) => setTasks((now) => [...now, title])

  useAgentContext({ page: 'tasks', tasks })
  useTool({
    name: 'add_task',
    description: 'Add a task to the list',
    parameters: task,
    risk: 'low',
    handler: ({ title }) => {
      add(title)
      return { added: title }
    },
  })
  useTool({
    name: 'clear_tasks',
    description: 'Delete all tasks of the list',
    risk: 'high',
    enabled: tasks.length > 0,
    handler: () => {
      setTasks([])
      return { deleted: tasks.length }
    },
  })

  return (
    <main>
      <h1>Tasks</h1>
      <form
        action={(form: FormData) => {
          add(String(form.get('title')))
        }}
      >
        <label>
          Title of the task <input name="title" required maxLength={80} autoComplete="off" />
        </label>
        <button type="submit">Add</button>
      </form>
      <ul>
        {tasks.map((title, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tasks are only added at the end and cleared
          <li key={index}>{title}</li>
        ))}
      </ul>
      <button type="button" onClick={() => setTasks([])}>
        Clear all
      </button>
    </main>
  )
}
