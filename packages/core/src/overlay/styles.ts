/** The look of dialog and notices. Colours meet WCAG AA in both schemes; nothing here moves. */
export const OVERLAY_CSS = `
:host { all: initial !important; }
* { box-sizing: border-box; }
dialog, .notices {
  --surface: #ffffff; --raised: #f5f6f9; --text: #14171f; --muted: #565d6d; --line: #d9dde6; --edge: #70788a;
  --badge: #fff0cc; --badge-text: #6a4100; --bar: #d48806; --go: #1d4ed8; --go-text: #ffffff; --ring: #1d4ed8;
  color-scheme: light dark; color: var(--text);
  font: 400 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; letter-spacing: normal;
}
dialog.critical { --badge: #fde4e6; --badge-text: #8a0f1e; --bar: #c81e2b; --go: #b3131f; }
dialog {
  position: fixed; inset: 0; margin: auto; padding: 0; width: min(34rem, calc(100vw - 2rem)); height: fit-content;
  max-height: calc(100dvh - 2rem); overflow: hidden; flex-direction: column; background: var(--surface);
  border: 1px solid var(--line); border-radius: 16px; box-shadow: 0 1px 2px #0a0f1e1f, 0 24px 64px #0a0f1e52;
  cursor: default; user-select: text; text-align: start;
}
dialog[open] { display: flex; }
dialog::backdrop { background: #0a0f1e8c; }
.time { height: 4px; background: var(--raised); flex: none; }
.time > div { height: 100%; background: var(--bar); }
header { padding: 20px 24px 0; flex: none; }
.line { display: flex; align-items: center; justify-content: space-between; gap: 12px; min-height: 26px; }
.badge { padding: 2px 10px; border-radius: 999px; background: var(--badge); color: var(--badge-text); font-size: 13px; font-weight: 650; }
.count { color: var(--muted); font-size: 13px; }
h1 { margin: 12px 0 4px; font-size: 20px; line-height: 1.3; font-weight: 680; }
p { margin: 0; text-wrap: pretty; }
[dir="auto"] { text-align: -webkit-match-parent; text-align: match-parent; }
.muted { color: var(--muted); font-size: 14px; }
.scroll { padding: 16px 24px; overflow: auto; min-height: 72px; outline-offset: -3px; overscroll-behavior: contain; }
.tool { font: 600 16px/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.tool, .foreign, .json { overflow-wrap: anywhere; white-space: pre-wrap; unicode-bidi: isolate; }
h2 { margin: 14px 0 4px; color: var(--muted); font-size: 13px; font-weight: 600; }
.card { padding: 12px 14px; background: var(--raised); border: 1px solid var(--line); border-radius: 10px; }
dl { margin: 0; display: grid; grid-template-columns: fit-content(40%) 1fr; gap: 8px 16px; align-items: baseline; }
dl > div { display: contents; }
dt { color: var(--muted); font-size: 14px; font-weight: 400; overflow: hidden; }
dd { margin: 0; min-width: 0; overflow: hidden; font-weight: 550; }
ol { margin: 0; padding-inline-start: 1.5em; }
.number { font-variant-numeric: tabular-nums; }
.said { font-style: italic; font-weight: 450; }
.json { display: block; font: 13px/1.45 ui-monospace, Menlo, Consolas, monospace; }
.mark { padding: 0 3px; border-radius: 3px; background: var(--badge); color: var(--badge-text); font: 600 12px/1.3 ui-monospace, Menlo, Consolas, monospace; }
footer { position: relative; padding: 14px 24px 20px; border-top: 1px solid var(--line); flex: none; display: grid; gap: 12px; background: var(--surface); }
footer.more { box-shadow: 0 -10px 24px -8px #0a0f1e38; }
.below {
  display: none; position: absolute; inset-block-end: calc(100% + 8px); inset-inline-end: 32px; padding: 2px 12px;
  font-size: 13px; font-weight: 600; border-radius: 999px;
  background: var(--text); color: var(--surface); pointer-events: none;
}
.more .below { display: block; }
label { display: grid; gap: 6px; font-size: 14px; }
label b { font: 700 14px/1.4 ui-monospace, Menlo, Consolas, monospace; letter-spacing: .04em; }
input {
  width: 100%; padding: 9px 12px; font: inherit; color: var(--text); background: var(--surface);
  border: 1px solid var(--edge); border-radius: 10px;
}
.actions { display: flex; flex-wrap: wrap; gap: 12px; align-items: center; }
.status { flex: 1 1 9rem; color: var(--muted); font-size: 13px; font-variant-numeric: tabular-nums; }
button {
  min-height: 44px; min-width: 7rem; padding: 0 20px; font: inherit; font-weight: 620; border-radius: 10px; cursor: pointer;
  border: 1px solid var(--edge); background: var(--surface); color: var(--text);
}
.approve { background: var(--go); border-color: var(--go); color: var(--go-text); }
.approve[aria-disabled="true"] { background: var(--raised); border-color: var(--line); color: var(--muted); cursor: not-allowed; }
:focus-visible { outline: 3px solid var(--ring); outline-offset: 2px; }
.hint { color: var(--badge-text); font-size: 13px; }
.hint:empty { display: none; }
.quiet { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.notices {
  position: fixed; inset-block-start: 16px; inset-inline: 16px; z-index: 2147483647; display: grid; gap: 8px;
  justify-items: center; pointer-events: none;
}
.notice { padding: 8px 14px; font-size: 14px; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; box-shadow: 0 6px 24px #0a0f1e33; }
.notice .foreign { font-weight: 600; }
@media (max-width: 30rem) {
  dialog { width: calc(100vw - 1rem); max-height: calc(100dvh - 1rem); }
  header { padding: 16px 16px 0; } .scroll { padding: 14px 16px; } footer { padding: 12px 16px 16px; }
  .actions button { flex: 1 1 40%; } .status { flex: 1 1 100%; }
}
@media (max-height: 32rem) {
  dialog { overflow: auto; }
  .scroll { overflow: visible; min-height: auto; flex: none; }
}
@media (prefers-color-scheme: dark) {
  dialog, .notices {
    --surface: #1a1d25; --raised: #242833; --text: #eef0f5; --muted: #aab1c1; --line: #363c4a; --edge: #7f8798;
    --bar: #d9a441; --badge: #3f300c; --badge-text: #ffd88a; --go: #9ab8ff; --go-text: #0a1738; --ring: #9ab8ff;
  }
  dialog.critical { --bar: #ff8d94; --badge: #4a1820; --badge-text: #ffb7bc; --go: #ff9da3; --go-text: #380409; }
  dialog::backdrop { background: #000000a6; }
}
@media (forced-colors: active) { dialog, button, input, .card { border: 1px solid; } .approve { border-width: 3px; } }
`
