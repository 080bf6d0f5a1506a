/** Features of the browser that reach out, or that a page without a person in front of it does not need. */
const OFF_FEATURES = [
  'AutofillServerCommunication',
  // A page that comes back from there tells nothing of its loading.
  'BackForwardCache',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'InterestFeedContentSuggestions',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'Translate',
]

/**
 * Command line of the browser. Nothing leaves it except through the proxy of a context: names are not resolved here,
 * loopback goes through the proxy too, and what is no TCP is off.
 */
export function browserFlags(options: {
  readonly profileDirectory: string
  readonly isShell: boolean
  readonly sandbox: boolean
  readonly maxJsHeapMb: number
}): readonly string[] {
  return [
    '--remote-debugging-pipe',
    `--user-data-dir=${options.profileDirectory}`,
    ...(options.isShell ? [] : ['--headless=new']),
    ...(options.sandbox ? [] : ['--no-sandbox']),
    '--no-first-run',
    '--no-default-browser-check',
    '--no-pings',
    '--no-service-autorun',
    '--disable-background-networking',
    '--disable-breakpad',
    '--disable-client-side-phishing-detection',
    '--disable-component-extensions-with-background-pages',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-domain-reliability',
    '--disable-extensions',
    '--disable-quic',
    '--disable-sync',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    '--disable-hang-monitor',
    '--disable-ipc-flooding-protection',
    '--disable-renderer-backgrounding',
    '--disable-backgrounding-occluded-windows',
    '--disable-background-timer-throttling',
    '--disable-popup-blocking',
    '--disable-prompt-on-repost',
    '--disable-search-engine-choice-screen',
    `--disable-features=${OFF_FEATURES.join(',')}`,
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    // Contexts have proxies of their own; whatever has none gets this closed port.
    '--proxy-server=http://127.0.0.1:9',
    '--proxy-bypass-list=<-loopback>',
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    '--metrics-recording-only',
    '--mute-audio',
    '--hide-scrollbars',
    '--password-store=basic',
    '--use-mock-keychain',
    `--js-flags=--max-old-space-size=${options.maxJsHeapMb}`,
    'about:blank',
  ]
}
