const waiting: (() => void)[] = []
let isScheduled = false

/**
 * Settles when it is this caller's turn; one caller has its turn in each round of the event loop. Parsing and compiling
 * take milliseconds each: hundreds of pages at work would otherwise hold up every socket of the process until the last of
 * them is done, for what is ready runs before anything is read. First come, first served.
 */
export function takeTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (isScheduled) return
    isScheduled = true
    setImmediate(nextTurn)
  })
}

function nextTurn(): void {
  waiting.shift()?.()
  isScheduled = waiting.length > 0
  if (isScheduled) setImmediate(nextTurn)
}
