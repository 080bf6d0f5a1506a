/** The look of dialog and notices. Colours meet WCAG AA in both schemes; nothing here moves. Written tight: every page carries it. */
export const OVERLAY_CSS = `
:host{all:initial!important}
*{box-sizing:border-box}
dialog,.notices{color-scheme:light dark;--surface:light-dark(#fff,#1a1d25);--raised:light-dark(#f5f6f9,#242833);--line:light-dark(#d9dde6,#363c4a);--text:light-dark(#14171f,#eef0f5);--muted:light-dark(#565d6d,#aab1c1);--edge:light-dark(#70788a,#7f8798);--badge:light-dark(#fff0cc,#3f300c);--ink:light-dark(#6a4100,#ffd88a);--bar:light-dark(#d48806,#d9a441);--go:light-dark(#1d4ed8,#9ab8ff);--on:light-dark(#fff,#0a1738);color:var(--text);font:15px/1.5 system-ui}
.critical{--badge:light-dark(#fde4e6,#4a1820);--ink:light-dark(#8a0f1e,#ffb7bc);--bar:light-dark(#c81e2b,#ff8d94);--go:light-dark(#b3131f,#ff9da3);--on:light-dark(#fff,#380409)}
dialog{inset:0;margin:auto;padding:0;width:min(34rem,100vw - 2rem);max-height:calc(100dvh - 2rem);overflow:hidden;flex-direction:column;background:var(--surface);border:1px solid var(--line);border-top:5px solid var(--bar);border-radius:16px;box-shadow:0 24px 64px #0a0f1e52}
dialog[open]{display:flex}
dialog::backdrop{background:#0a0f1e8c}
dialog>*{flex:none}
header{padding:20px 24px 0}
.line,.actions{display:flex;flex-wrap:wrap;gap:12px;align-items:center}
.badge{padding:2px 10px;border-radius:99px;background:var(--badge);color:var(--ink);font-size:13px;font-weight:600}
h1{margin:12px 0 4px;font-size:20px;line-height:1.3}
h2{margin:14px 0 4px;color:var(--muted);font-size:13px}
p,dl,dd,ol{margin:0}
[dir=auto]{text-align:-webkit-match-parent;text-align:match-parent}
.muted,.count,.status,dt{color:var(--muted);font-size:14px}
.count{margin-inline-start:auto}
.scroll{flex:0 1 auto;padding:16px 24px;overflow:auto;min-height:72px;outline-offset:-3px}
.tool,.mark,b{font:600 16px ui-monospace,monospace}
.foreign{overflow-wrap:anywhere;white-space:pre-wrap}
dl{display:grid;grid-template-columns:fit-content(40%) 1fr;gap:8px 16px;align-items:baseline}
dl>div{display:contents}
dt{font-weight:400;overflow:hidden}
dd{min-width:0;overflow:hidden;font-weight:600}
ol{padding-inline-start:1.5em}
.said{font-style:italic;font-weight:400}
.mark{padding:0 3px;border-radius:3px;background:var(--badge);color:var(--ink);font-size:12px}
footer{position:relative;padding:14px 24px 20px;border-top:1px solid var(--line);display:grid;gap:12px}
label,b{font-size:14px}
.card,.notice,input,button{font:inherit;padding:10px 14px;color:var(--text);background:var(--surface);border:1px solid var(--edge);border-radius:10px}
.card{background:var(--raised);border-color:var(--line)}
input{width:100%;margin-top:6px}
.status{flex:1 1 9rem}
button{min-height:44px;min-width:7rem;font-weight:600;cursor:pointer}
.approve{background:var(--go);border-color:var(--go);color:var(--on)}
.approve[aria-disabled=true]{background:var(--raised);border-color:var(--line);color:var(--muted);cursor:default}
:focus-visible{outline:3px solid var(--go);outline-offset:2px}
.hint{color:var(--ink);font-size:14px}
.hint:empty,footer:not(.more) .below{display:none}
.below{position:absolute;bottom:calc(100% + 8px);inset-inline-end:32px;padding:2px 10px;font-size:13px;font-weight:600;border-radius:99px;background:var(--text);color:var(--surface);pointer-events:none}
.quiet{position:absolute;clip-path:inset(50%)}
.notices{position:fixed;top:16px;inset-inline:16px;justify-items:center;z-index:2147483647;display:grid;gap:8px;pointer-events:none}
@media (max-width:30rem){.status{flex-basis:100%}.actions button{flex:1}}
@media (max-height:32rem){dialog{overflow:auto}.scroll{overflow:visible;flex:none}}
`
