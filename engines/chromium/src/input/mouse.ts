import type { CdpSession } from '../cdp/connection.ts'

/** A place in the page's window, in CSS pixels. */
export interface Place {
  readonly x: number
  readonly y: number
}

/** A click of the mouse: moved there, pressed, released; twice for a double click. */
export async function clickAt(
  session: CdpSession,
  { x, y }: Place,
  button: 'left' | 'right' | 'middle' = 'left',
  count = 1,
  modifiers = 0,
): Promise<void> {
  const buttons = { left: 1, right: 2, middle: 4 }[button]
  const sent: Promise<unknown>[] = [session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y, modifiers })]
  for (let clickCount = 1; clickCount <= count; clickCount += 1) {
    sent.push(
      session.send('Input.dispatchMouseEvent', { type: 'mousePressed', x, y, button, buttons, clickCount, modifiers }),
      session.send('Input.dispatchMouseEvent', {
        type: 'mouseReleased',
        x,
        y,
        button,
        buttons: 0,
        clickCount,
        modifiers,
      }),
    )
  }
  await Promise.all(sent)
}

/** Moves the mouse there. */
export async function moveTo(session: CdpSession, { x, y }: Place): Promise<void> {
  await session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y })
}

const DRAG_STEPS = 8

/** Drags from one place to another: with the mouse, and with what a draggable element carries. */
export async function dragTo(session: CdpSession, from: Place, to: Place): Promise<void> {
  let data: Parameters<typeof dispatchDrag>[2] | undefined
  const stop = session.on('Input.dragIntercepted', (event) => {
    data = event.data
  })
  try {
    await session.send('Input.setInterceptDrags', { enabled: true })
    await moveTo(session, from)
    await session.send('Input.dispatchMouseEvent', {
      type: 'mousePressed',
      ...from,
      button: 'left',
      buttons: 1,
      clickCount: 1,
    })
    for (let step = 1; step <= DRAG_STEPS; step += 1) {
      const x = from.x + ((to.x - from.x) * step) / DRAG_STEPS
      const y = from.y + ((to.y - from.y) * step) / DRAG_STEPS
      if (data === undefined)
        await session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y, button: 'left', buttons: 1 })
    }
    if (data !== undefined) {
      await dispatchDrag(session, 'dragEnter', data, to)
      await dispatchDrag(session, 'dragOver', data, to)
      await dispatchDrag(session, 'drop', data, to)
    }
    await session.send('Input.dispatchMouseEvent', {
      type: 'mouseReleased',
      ...to,
      button: 'left',
      buttons: 0,
      clickCount: 1,
    })
  } finally {
    stop()
    session.post('Input.setInterceptDrags', { enabled: false })
  }
}

function dispatchDrag(
  session: CdpSession,
  type: 'dragEnter' | 'dragOver' | 'drop',
  data: import('../cdp/types.ts').Protocol.Input.DragData,
  { x, y }: Place,
): Promise<unknown> {
  return session.send('Input.dispatchDragEvent', { type, x, y, data })
}
