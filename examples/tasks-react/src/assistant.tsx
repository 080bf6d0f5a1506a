import { useAgent } from '@domos/react'

/** A conversation with the agent, in its simplest form. */
export function Assistant() {
  const { state, response, error, sendText, stop } = useAgent()
  return (
    <section>
      <h2>Assistant</h2>
      <form
        action={(form: FormData) => {
          sendText(String(form.get('message')))
        }}
      >
        <label>
          Message <input name="message" required autoComplete="off" />
        </label>
        <button type="submit">Send</button>
        <button type="button" onClick={stop}>
          Stop
        </button>
      </form>
      <output>{response}</output>
      <p>Connection: {state}</p>
      {error && <p role="alert">{error.message}</p>}
    </section>
  )
}
