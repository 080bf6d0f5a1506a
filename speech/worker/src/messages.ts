/** Parent to worker. `init` comes first and once; a `call` without an id wants no reply. */
export type WorkerRequest =
  | { readonly type: 'init'; readonly init: unknown }
  | { readonly type: 'call'; readonly id?: number; readonly method: string; readonly params: unknown }

/** Worker to parent. */
export type WorkerMessage =
  | { readonly type: 'ready'; readonly info: unknown }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'result'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failure'; readonly id: number; readonly message: string }
  | { readonly type: 'event'; readonly event: unknown }
