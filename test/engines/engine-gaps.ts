// What each engine does not do, by case of the engine contract. A gap that has closed fails the suite until it is taken
// out here.

const SCRIPT = 'no page script'

/** Gaps of the engine without a browser. */
export const STATIC_GAPS: Readonly<Record<string, string>> = {
  app: SCRIPT,
  components: SCRIPT,
  dialogs: SCRIPT,
  beforeunload: SCRIPT,
  popup: SCRIPT,
  controlled: SCRIPT,
  combobox: SCRIPT,
  covered: 'no layout',
  keys: SCRIPT,
  'drag-and-hover': SCRIPT,
  busy: SCRIPT,
  'broken-script': SCRIPT,
  scrolling: SCRIPT,
  'script-redirect': SCRIPT,
  environment: SCRIPT,
  storage: SCRIPT,
  screenshot: 'nothing is drawn',
  frames: 'frames are not loaded',
}

/** Gaps of the Chromium engine. */
export const CHROMIUM_GAPS: Readonly<Record<string, string>> = {}

/** Gaps of the engine over both. */
export const AUTO_GAPS: Readonly<Record<string, string>> = {}
