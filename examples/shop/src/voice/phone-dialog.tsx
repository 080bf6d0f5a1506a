import { type JoinTicket, requestJoinToken } from '@domos/core/join'
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react'
import { useAgentClient } from '../agent/client.ts'
import { Icon } from '../parts/icons.tsx'
import { QrCode } from './qr-code.tsx'

type Shown =
  | { readonly state: 'asking' }
  | { readonly state: 'open' | 'expired'; readonly ticket: JoinTicket }
  | { readonly state: 'joined' }
  | { readonly state: 'failed'; readonly message: string }

/** Lets a phone be the microphone of this page: a QR code to scan, or a code to type. */
export function PhoneDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const client = useAgentClient()
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [shown, setShown] = useState<Shown>({ state: 'asking' })
  const [leftS, setLeftS] = useState(0)

  const ask = useCallback(() => {
    setShown({ state: 'asking' })
    requestJoinToken(client).then(
      (ticket) => setShown({ state: 'open', ticket }),
      (thrown: unknown) =>
        setShown({ state: 'failed', message: thrown instanceof Error ? thrown.message : 'No code came.' }),
    )
  }, [client])
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
    ask()
  }, [ask])
  useEffect(
    () =>
      client.onEvent('system.event', ({ kind, data }) => {
        if (kind === 'notice' && (data as { code?: string } | null)?.code === 'member-joined')
          setShown({ state: 'joined' })
      }),
    [client],
  )
  const expiresAt = shown.state === 'open' ? shown.ticket.expiresAt : undefined
  useEffect(() => {
    if (expiresAt === undefined) return
    const look = () => {
      const left = Math.ceil((expiresAt - Date.now()) / 1000)
      setLeftS(Math.max(0, left))
      if (left <= 0) setShown((now) => (now.state === 'open' ? { ...now, state: 'expired' } : now))
    }
    look()
    const timer = setInterval(look, 1_000)
    return () => clearInterval(timer)
  }, [expiresAt])

  return (
    <dialog ref={dialog} className="phone" aria-labelledby={`${id}-title`} onClose={onClose}>
      <div className="phone-head">
        <h2 id={`${id}-title`}>Use your phone as microphone</h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </div>
      <div aria-live="polite">
        {shown.state === 'asking' && (
          <p className="row">
            <span className="spinner" /> Asking for a code
          </p>
        )}
        {shown.state === 'failed' && (
          <p className="aside error">
            <Icon name="warn" />
            {shown.message}
          </p>
        )}
        {shown.state === 'joined' && (
          <p className="phone-joined">
            <Icon name="check" /> Connected. What you say there acts on this page, and you are asked here.
          </p>
        )}
        {shown.state === 'expired' && <p>The code has expired.</p>}
      </div>
      {shown.state === 'open' && <Ticket ticket={shown.ticket} leftS={leftS} />}
      <div className="row end">
        {(shown.state === 'expired' || shown.state === 'failed') && (
          <button type="button" className="button primary" onClick={ask}>
            New code
          </button>
        )}
        {shown.state === 'joined' && (
          <button type="button" className="button primary" onClick={() => dialog.current?.close()}>
            Done
          </button>
        )}
      </div>
    </dialog>
  )
}

function Ticket({ ticket, leftS }: { readonly ticket: JoinTicket; readonly leftS: number }): ReactNode {
  const url = reachableUrl(ticket, location)
  const { code } = ticket
  return (
    <div className="ticket">
      {url !== undefined && <QrCode text={url} label="QR code with the address of the phone page" />}
      <div className="stack">
        {url === undefined ? (
          <>
            <p>
              Only this computer reaches this server, so a phone cannot. Start it for your network, with a key and a
              certificate:
            </p>
            <pre>{`DOMOS_API_KEYS=choose-a-key \\
domos demo --host 0.0.0.0 \\
  --tls-cert cert.pem --tls-key key.pem`}</pre>
            <p>
              Then open <code>/demo/#key=choose-a-key</code> at its https address.
            </p>
          </>
        ) : (
          <p>
            Scan it, or open <b className="phone-address">{url.split('#')[0]?.replace(/^https?:\/\//, '')}</b> on the
            phone{code === undefined ? '.' : ' and type:'}
          </p>
        )}
        {code !== undefined && (
          <p className="join-code">
            {url === undefined && <small>Code for another tab at /demo/phone:</small>}
            <b>
              <span className="hidden">Code: {[...code].join(' ')}</span>
              <span aria-hidden="true">
                {code.slice(0, 3)} {code.slice(3)}
              </span>
            </b>
          </p>
        )}
        {url?.startsWith('http:') === true && (
          <p className="small muted">
            Phones give a microphone only to https pages: start the server with --tls-cert and --tls-key. Typing works
            without.
          </p>
        )}
        <p className="small muted">
          Good for one device and {leftS} more {leftS === 1 ? 'second' : 'seconds'}.
        </p>
      </div>
    </div>
  )
}

/** The phone page as another device reaches it: where the server says, else where this page came from, unless that is here. */
export function reachableUrl(ticket: JoinTicket, address: Pick<Location, 'hostname' | 'origin'>): string | undefined {
  if (ticket.url !== undefined) return ticket.url
  const isHere = /^(localhost|127\.|\[::1\])|\.localhost$/.test(address.hostname)
  return isHere ? undefined : `${address.origin}/demo/phone#${ticket.token}`
}
