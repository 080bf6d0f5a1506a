import { DomosError } from '@domos/spec'

/** Reads an absolute URL. @throws DomosError `invalid_request` */
export function parseUrl(text: string): URL {
  if (URL.canParse(text)) return new URL(text)
  throw new DomosError('invalid_request', 'The URL is not complete; it starts with http:// or https://.', {
    details: { reason: 'BAD_URL', field: 'url' },
  })
}

/** @throws DomosError `conflict` for the answer to a form: loading it again would send the form again */
export function refuseRepost(isPost: boolean): void {
  if (!isPost) return
  throw new DomosError(
    'conflict',
    'This page answered a form; loading it again would send the form again. Navigate to a URL instead.',
    { details: { reason: 'WOULD_RESUBMIT' } },
  )
}

/** What a page without a document answers. */
export function noDocument(): DomosError {
  return new DomosError('not_found', 'No page is loaded yet; navigate first.', { details: { reason: 'NO_DOCUMENT' } })
}

/** What this engine has not. */
export function unsupported(what: string): DomosError {
  return new DomosError('unsupported', `The static engine cannot ${what}; use the engine chromium.`, {
    details: { field: 'engine', engine: 'static' },
  })
}
