const byWord: Readonly<Record<string, string>> = {
  primary: 'primary',
  cta: 'primary',
  secondary: 'secondary',
  danger: 'danger',
  destructive: 'danger',
  delete: 'danger',
  warning: 'warning',
  caution: 'warning',
  success: 'success',
  error: 'error',
  invalid: 'error',
  disabled: 'disabled',
  active: 'active',
  current: 'active',
  selected: 'selected',
  checked: 'selected',
  hidden: 'hidden',
  loading: 'loading',
  spinner: 'loading',
  skeleton: 'loading',
  collapsed: 'collapsed',
  closed: 'collapsed',
  expanded: 'expanded',
  open: 'expanded',
  show: 'expanded',
  large: 'large',
  lg: 'large',
  xl: 'large',
  small: 'small',
  sm: 'small',
  xs: 'small',
  mini: 'small',
  card: 'card',
  hero: 'hero',
  jumbotron: 'hero',
  banner: 'hero',
  modal: 'modal',
  dialog: 'modal',
  popup: 'modal',
  overlay: 'modal',
  toast: 'notification',
  snackbar: 'notification',
  notification: 'notification',
  alert: 'notification',
  badge: 'badge',
  chip: 'badge',
  tag: 'badge',
  pill: 'badge',
  sticky: 'sticky',
  fixed: 'sticky',
  pinned: 'sticky',
  required: 'required',
  mandatory: 'required',
}
const cache = new Map<string, readonly string[] | undefined>()

/** Words of a class list: split at spaces, hyphens, underscores and camel case, lower case. */
export function classWords(className: string): string[] {
  return className
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}

/** Hints that the words of a class list give, sorted; undefined when there are none. SOM: Semantic Hints. */
export function hintsOf(className: string): readonly string[] | undefined {
  if (cache.has(className)) return cache.get(className)
  const found = new Set<string>()
  const words = classWords(className.slice(0, 2_000))
  words.forEach((word, index) => {
    const hint = Object.hasOwn(byWord, word) ? byWord[word] : undefined
    // "open" and "closed" are states only in "is-open" and "is-closed".
    if (hint === undefined || ((word === 'open' || word === 'closed') && words[index - 1] !== 'is')) return
    found.add(hint)
  })
  if (/\b(?:sr-only|visually-hidden)\b/.test(className)) found.add('hidden')
  const hints = found.size === 0 ? undefined : [...found].sort()
  if (cache.size < 5_000) cache.set(className, hints)
  return hints
}
