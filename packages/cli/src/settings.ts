/** How a setting is written and read. */
export type SettingKind = 'text' | 'port' | 'count' | 'flag' | 'list' | 'choice' | 'file' | 'directory'

/** One row of the settings table: flags, environment names, the configuration file and the docs all read it. */
export interface SettingRow {
  /** Name in domos.config.*; camelCase. */
  readonly key: string
  /** Command-line flag without dashes; undefined = not on the command line (secrets). */
  readonly flag?: string
  /** Environment names, the first that is set wins. */
  readonly env: readonly string[]
  readonly kind: SettingKind
  readonly choices?: readonly string[]
  readonly default?: string | number | boolean | readonly string[]
  readonly description: string
  /** Never printed or logged. */
  readonly isSecret?: boolean
}

/** Every setting of the server, in the order the help shows them. */
export const SETTINGS = [
  {
    key: 'host',
    flag: 'host',
    env: ['DOMOS_HOST'],
    kind: 'text',
    default: '127.0.0.1',
    description: 'address to listen on; anything but loopback needs API keys',
  },
  {
    key: 'port',
    flag: 'port',
    env: ['DOMOS_PORT', 'VOICE_PORT'],
    kind: 'port',
    default: 3000,
    description: 'port for all doors; 0 takes a free one',
  },
  {
    key: 'doors',
    flag: 'doors',
    env: ['DOMOS_DOORS'],
    kind: 'list',
    choices: ['adtp', 'voice', 'awp'],
    description: 'doors to open, comma separated (default: all)',
  },
  {
    key: 'model',
    flag: 'model',
    env: ['DOMOS_MODEL'],
    kind: 'text',
    default: 'local',
    description: 'language model: local, openai/NAME, anthropic/NAME, google/NAME or compatible/NAME',
  },
  {
    key: 'modelBaseUrl',
    flag: 'model-base-url',
    env: ['DOMOS_MODEL_BASE_URL'],
    kind: 'text',
    description: 'base URL of an OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1',
  },
  {
    key: 'modelApiKey',
    env: ['DOMOS_MODEL_API_KEY'],
    kind: 'text',
    isSecret: true,
    description: 'key for the model; OPENAI_API_KEY, ANTHROPIC_API_KEY and GOOGLE_GENERATIVE_AI_API_KEY work too',
  },
  {
    key: 'apiKeys',
    env: ['DOMOS_API_KEYS'],
    kind: 'list',
    isSecret: true,
    description: 'keys that clients must show, comma separated',
  },
  {
    key: 'allowedOrigins',
    flag: 'allow-origin',
    env: ['DOMOS_ALLOWED_ORIGINS'],
    kind: 'list',
    description: 'web origins that may connect besides our own, comma separated',
  },
  {
    key: 'publicHosts',
    flag: 'public-host',
    env: ['DOMOS_PUBLIC_HOSTS'],
    kind: 'list',
    description: 'host names this server is reached by besides localhost and IP addresses',
  },
  {
    key: 'refuseRiskyWithoutApproval',
    flag: 'refuse-risky-without-approval',
    env: ['DOMOS_REFUSE_RISKY_WITHOUT_APPROVAL'],
    kind: 'flag',
    default: false,
    description: 'refuse high and critical tools of pages that cannot take a ticketed approval',
  },
  {
    key: 'engine',
    flag: 'engine',
    env: ['DOMOS_ENGINE'],
    kind: 'choice',
    choices: ['auto', 'static', 'chromium'],
    default: 'auto',
    description:
      'engine of headless pages: static needs no browser and runs no page script, auto takes a browser where a page needs one',
  },
  {
    key: 'noSandbox',
    flag: 'no-sandbox',
    env: ['DOMOS_NO_SANDBOX'],
    kind: 'flag',
    default: false,
    description: 'run Chromium without its sandbox; only where every page is trusted',
  },
  {
    key: 'allowEvaluate',
    flag: 'allow-evaluate',
    env: ['DOMOS_ALLOW_EVALUATE'],
    kind: 'flag',
    default: false,
    description: 'let clients with the scope page:evaluate run script of their own in pages',
  },
  {
    key: 'allowPrivateNetwork',
    flag: 'allow-private-network',
    env: ['DOMOS_ALLOW_PRIVATE_NETWORK'],
    kind: 'flag',
    default: false,
    description: 'let headless pages reach private, loopback and link-local addresses',
  },
  {
    key: 'allowedHosts',
    flag: 'allow-host',
    env: ['DOMOS_ALLOWED_HOSTS'],
    kind: 'list',
    description: 'hosts that headless pages may reach although their address is private, comma separated',
  },
  {
    key: 'recognition',
    flag: 'stt',
    env: ['DOMOS_STT'],
    kind: 'list',
    default: ['pocketsphinx'],
    description:
      'speech recognition, the next one taking over where one fails: pocketsphinx, sherpa:DIRECTORY, wyoming://HOST:PORT, http(s)://HOST/v1#MODEL',
  },
  {
    key: 'synthesis',
    flag: 'tts',
    env: ['DOMOS_TTS'],
    kind: 'list',
    default: ['flite'],
    description: 'speech synthesis, likewise: flite, sherpa:DIRECTORY, wyoming://HOST:PORT, http(s)://HOST/v1#MODEL',
  },
  {
    key: 'speechApiKey',
    env: ['DOMOS_SPEECH_API_KEY'],
    kind: 'text',
    isSecret: true,
    description: 'key for speech endpoints',
  },
  {
    key: 'deviceNetworks',
    flag: 'allow-device-network',
    env: ['DOMOS_DEVICE_NETWORKS'],
    kind: 'list',
    description:
      'networks (CIDR) whose devices may use the voice door without a key, with tools of risk none alone, comma separated',
  },
  {
    key: 'voiceRecordings',
    flag: 'record-voice',
    env: ['DOMOS_VOICE_RECORDINGS'],
    kind: 'directory',
    description:
      'record what is said at the voice door, into this directory (default: off); tell the people it records',
  },
  {
    key: 'voiceRecordingDays',
    flag: 'record-voice-days',
    env: ['DOMOS_VOICE_RECORDING_DAYS'],
    kind: 'count',
    default: 7,
    description: 'days after which a recording is removed',
  },
  {
    key: 'dataDir',
    flag: 'data-dir',
    env: ['DOMOS_DATA_DIR'],
    kind: 'directory',
    default: '.domos',
    description: 'where conversations and the audit log are kept',
  },
  {
    key: 'tlsCert',
    flag: 'tls-cert',
    env: ['DOMOS_TLS_CERT'],
    kind: 'file',
    description: 'certificate (PEM); with --tls-key serves https and wss',
  },
  { key: 'tlsKey', flag: 'tls-key', env: ['DOMOS_TLS_KEY'], kind: 'file', description: 'private key (PEM)' },
  {
    key: 'logFormat',
    flag: 'log-format',
    env: ['DOMOS_LOG_FORMAT'],
    kind: 'choice',
    choices: ['text', 'json'],
    default: 'text',
    description: 'text for people, json for one object a line on standard output',
  },
  {
    key: 'logLevel',
    flag: 'log-level',
    env: ['DOMOS_LOG_LEVEL'],
    kind: 'choice',
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
    description: 'how much is logged (default: warn for text, info for json)',
  },
] as const satisfies readonly SettingRow[]

/** Name of a setting. */
export type SettingKey = (typeof SETTINGS)[number]['key']

/** One API key, when more is to be said than the key itself. */
export interface ApiKeySetting {
  readonly key: string
  /** Shown in logs instead of the key. */
  readonly id?: string
  readonly tenant?: string
  readonly scopes?: readonly string[]
  readonly allowedOrigins?: readonly string[]
  readonly allowedDomains?: readonly string[]
}

/** The settings after flags, environment, file and defaults were put together. */
export interface Settings {
  readonly host: string
  readonly port: number
  /** True when the port was asked for, rather than being the default. */
  readonly isPortGiven: boolean
  readonly doors: readonly string[] | undefined
  readonly model: string
  readonly modelBaseUrl: string | undefined
  readonly modelApiKey: string | undefined
  readonly apiKeys: readonly ApiKeySetting[]
  readonly allowedOrigins: readonly string[]
  readonly publicHosts: readonly string[]
  readonly refuseRiskyWithoutApproval: boolean
  readonly engine: 'auto' | 'static' | 'chromium'
  readonly noSandbox: boolean
  readonly allowEvaluate: boolean
  readonly allowPrivateNetwork: boolean
  /** Host names whose addresses may be private. */
  readonly allowedHosts: readonly string[]
  readonly recognition: readonly string[]
  readonly synthesis: readonly string[]
  readonly speechApiKey: string | undefined
  /** CIDR networks whose devices need no key at the voice door. */
  readonly deviceNetworks: readonly string[]
  /** Where conversations by voice are recorded; undefined = they are not. */
  readonly voiceRecordings: string | undefined
  readonly voiceRecordingDays: number
  readonly dataDir: string
  readonly tlsCert: string | undefined
  readonly tlsKey: string | undefined
  readonly logFormat: 'text' | 'json'
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Numbers of the organs an operator changed, by organ: `{agent: {toolTimeoutMs: 10000}, server: {…}}`. */
  readonly limits: Readonly<Record<string, Readonly<Record<string, number>>>>
}
