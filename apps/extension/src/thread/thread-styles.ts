/** The side panel of a thread; it covers the table where there is no room beside it. */
export const threadStyles = `
.table { container-type: size; }
@container (max-height: 240px) { .bar { flex-wrap: nowrap; min-height: 0; padding-block: 2px; } .bar [role=status] { flex-basis: 0; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; } .bar button { min-height: 24px; padding-inline: 6px; } }
.panel { position: absolute; inset-block: 0; inset-inline-end: 0; z-index: 3; box-sizing: border-box; width: 100%; display: flex; flex-direction: column; background: var(--background, #fff); border-inline-start: 1px solid var(--strong); }
@container (min-width: 640px) { .panel { width: 340px; } .table > .bar:has(~ .panel:not([hidden])), .table > .grid:has(~ .panel:not([hidden])) { margin-inline-end: 340px; } }
.panel-head { display: flex; gap: 8px; align-items: center; padding: 4px 8px 4px 12px; min-height: 32px; border-bottom: 1px solid var(--line); }
.panel h2 { flex: 1; margin: 0; font-size: 14px; overflow-wrap: anywhere; }
.panel-body { flex: 1; min-height: 0; overflow: auto; padding: 8px 12px; }
.comments { margin: 0; padding: 0; list-style: none; display: grid; gap: 12px; }
.comments:focus-visible, .panel time:focus-visible { outline: 2px solid var(--accent, #005fa3); outline-offset: 1px; }
.comment { padding-inline-start: 8px; border-inline-start: 3px solid var(--line); }
.comment[data-state=waiting] { border-inline-start-color: #f5a600; }
.comment[data-state=failed] { border-inline-start-color: var(--danger, #c8002b); }
.head-line { display: flex; flex-wrap: wrap; gap: 0 8px; align-items: baseline; overflow-wrap: anywhere; }
/* Quiet, because every own comment has them. */
.comment > .buttons { gap: 16px; }
.comment > .buttons button { min-height: 24px; padding: 0; border: 0; color: var(--strong); font-size: 12px; text-decoration: underline; }
.panel time { position: relative; color: var(--strong); font-size: 12px; }
.panel time:hover::after, .panel time:focus::after { content: attr(data-full); position: absolute; right: 0; top: 100%; z-index: 1; padding: 2px 6px; white-space: nowrap; color: var(--text, #404040); background: var(--background, #fff); border: 1px solid var(--strong); border-radius: 3px; }
.panel .by { margin: 4px 0; color: var(--strong); font-size: 12px; overflow-wrap: anywhere; white-space: pre-wrap; }
.panel .head-line .by { margin: 0; }
.panel .mark { font-size: 12px; font-weight: 600; }
.panel .text { margin: 2px 0 4px; white-space: pre-wrap; overflow-wrap: anywhere; }
.panel mark { padding: 0 2px; border-radius: 3px; color: inherit; background: color-mix(in srgb, var(--accent, #005fa3) 16%, var(--background, #fff)); font-weight: 600; }
.panel .problem { margin: 4px 0; overflow-wrap: anywhere; font-weight: 600; }
.panel > .problem { padding: 0 12px; }
.panel > .problem:empty { display: none; }
.panel > .comment-form { padding: 8px 12px; border-top: 1px solid var(--line); }
.comment-form { position: relative; display: grid; gap: 4px; margin: 0; }
.comment-form .editor { box-sizing: border-box; width: 100%; padding: 4px 6px; border: 1px solid var(--strong); border-radius: 3px; resize: vertical; }
.comment-form .editor:focus { outline: 2px solid var(--accent, #005fa3); outline-offset: -1px; }
.comment-form .editor::placeholder { color: var(--strong); opacity: 1; }
.people { position: absolute; inset: auto 12px 100% 12px; z-index: 2; max-height: 180px; margin: 0; padding: 4px; overflow: auto; list-style: none; background: var(--background, #fff); border: 1px solid var(--strong); border-radius: 4px; box-shadow: 0 4px 16px #0004; }
.comment .people { inset: 100% 0 auto 0; }
.people [role=option] { padding: 4px 6px; min-height: 24px; box-sizing: border-box; overflow-wrap: anywhere; cursor: pointer; }
.people [aria-selected=true] { background: color-mix(in srgb, var(--accent, #005fa3) 16%, var(--background, #fff)); }
`;
