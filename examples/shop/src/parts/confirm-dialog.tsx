import { type ReactNode, useEffect, useId, useRef } from 'react'

/** Asks a person once more; Escape and the first button say no. */
export function ConfirmDialog({
  title,
  text,
  confirm,
  onClose,
}: {
  readonly title: string
  readonly text: string
  readonly confirm: string
  readonly onClose: (confirmed: boolean) => void
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="confirm"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={(event) => onClose(event.currentTarget.returnValue === 'yes')}
    >
      <form method="dialog">
        <h2 id={`${id}-title`}>{title}</h2>
        <p id={`${id}-text`} className="confirm-text">
          {text}
        </p>
        <div className="row end">
          <button type="submit" value="no" className="button">
            Keep it
          </button>
          <button type="submit" value="yes" className="button danger">
            {confirm}
          </button>
        </div>
      </form>
    </dialog>
  )
}
