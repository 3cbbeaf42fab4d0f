import { threadStyles } from '../thread/thread-styles.ts';

export const ROW_HEIGHT = 32;

/**
 * In a constructed style sheet: the platform's content security policy may forbid style elements and attributes. The
 * sheet's theme sets --text, --background, --accent and --font; all other colours are mixed from them.
 */
export const styles = `
:host { display: block; height: 100%; }
.table { --line: color-mix(in srgb, var(--text, #404040) 18%, var(--background, #fff)); --strong: color-mix(in srgb, var(--text, #404040) var(--soft, 80%), var(--background, #fff)); --tint: 14%;
  display: flex; flex-direction: column; height: 100%; font: 13px/1.4 var(--font, 'Source Sans Pro', Arial, sans-serif); color: var(--text, #404040); background: var(--background, #fff); position: relative; }
.bar { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; padding: 4px 8px; min-height: 32px; border-bottom: 1px solid var(--line); }
.bar [role=status] { flex: 1 1 160px; overflow-wrap: anywhere; }
button, .editor { font: inherit; color: inherit; background: var(--background, #fff); }
button { min-height: 28px; padding: 2px 10px; border: 1px solid var(--strong); border-radius: 3px; cursor: pointer; }
button:disabled { opacity: .5; cursor: default; }
button:focus-visible, .card:focus-visible { outline: 2px solid var(--accent, #005fa3); outline-offset: 1px; }
[hidden] { display: none !important; }
.grid { flex: 1; overflow: auto; position: relative; outline: none; contain: strict; touch-action: manipulation; }
.head { position: sticky; top: 0; z-index: 2; background: color-mix(in srgb, var(--text, #404040) 6%, var(--background, #fff)); font-weight: 600; }
.row { display: grid; grid-template-columns: var(--columns); height: ${ROW_HEIGHT}px; }
.head, .body { min-width: var(--width); }
.head [aria-required]::after { content: ' *'; position: static; color: var(--strong); }
.space { position: absolute; inset-block-start: 0; inset-inline-start: 0; width: 1px; }
.body { position: absolute; inset-inline-start: 0; width: 100%; }
.body .row { contain: layout style; position: absolute; width: 100%; }
.body .row:has(.editing) { z-index: 1; }
.cell { box-sizing: border-box; padding: 5px 8px; border-inline-end: 1px solid var(--line); border-bottom: 1px solid var(--line); overflow: hidden; white-space: nowrap; text-overflow: ellipsis; position: relative; }
.number { text-align: end; }
.key { position: sticky; inset-inline-start: 0; z-index: 1; background: var(--background, #fff); }
.head .row, .head .key { background: inherit; }
.field { background: color-mix(in srgb, var(--accent, #005fa3) 4%, var(--background, #fff)); }
.field[aria-readonly=true] { background: color-mix(in srgb, var(--text, #404040) 6%, var(--background, #fff)); }
.cell[data-fresh]::after { content: '✓'; color: var(--strong); }
.counts { display: flex; flex-wrap: wrap; gap: 4px; }
.counts button { min-height: 24px; padding: 0 8px; border-color: var(--line); border-radius: 12px; }
.counts [data-kind=saved] { border-color: transparent; }
.counts [data-kind=saved]::before { content: '✓ '; }
.counts [data-kind=failed], .counts [data-kind=conflict], .counts [data-kind=invalid] { border-color: var(--danger, #c8002b); font-weight: 600; }
.cell[data-state=waiting]::after { content: '…'; }
.cell[data-state=failed]::after { content: '!'; }
.cell[data-state=conflict]::after { content: '⇄'; }
.cell[data-state=invalid]::after { content: '✱'; }
.cell[data-state]:not([data-state=saved]), .cell[data-fresh] { padding-inline-end: 22px; }
.cell::after { position: absolute; inset-inline-end: 4px; top: 5px; font-weight: 700; }
.cell[data-state=waiting] { background: color-mix(in srgb, #f5a600 var(--tint), var(--background, #fff)); }
.cell[data-state=failed], .cell[data-state=invalid] { background: color-mix(in srgb, #e00030 var(--tint), var(--background, #fff)); }
.cell[data-state=conflict] { background: color-mix(in srgb, #8a2be2 var(--tint), var(--background, #fff)); }
.cell[data-state=invalid] { box-shadow: inset 0 0 0 1px var(--danger, #c8002b); }
.cell[data-color=blue] { --choice: #1677ff; }
.cell[data-color=green] { --choice: #389e0d; }
.cell[data-color=gold] { --choice: #d4b106; }
.cell[data-color=orange] { --choice: #d46b08; }
.cell[data-color=red] { --choice: #cf1322; }
.cell[data-color=purple] { --choice: #531dab; }
.cell[data-color=magenta] { --choice: #c41d7f; }
.cell[data-color=cyan] { --choice: #08979c; }
.cell[data-color] { border-inline-start: 4px solid var(--choice); }
.wrapped { display: flex; gap: 2px; }
.wrapped input[type=text] { flex: 1; min-width: 0; border: 0; padding: 0; font: inherit; color: inherit; background: none; outline: none; }
.wrapped input[type=date] { position: absolute; inset: auto 0 0 auto; width: 1px; height: 1px; padding: 0; border: 0; opacity: 0; }
.wrapped button { min-height: 0; padding: 0 4px; border: 0; }
.active { box-shadow: inset 0 0 0 1px var(--strong); }
.grid:focus .active, .grid:focus-within .active { box-shadow: inset 0 0 0 2px var(--accent, #005fa3); }
.editing { overflow: visible; z-index: 1; }
.cell .editor { position: absolute; inset: 0; box-sizing: border-box; width: 100%; height: 100%; border: 2px solid var(--accent, #005fa3); padding: 3px 6px; }
.cell textarea.editor { height: auto; bottom: auto; min-width: 240px; resize: both; }
.cell .group { height: auto; bottom: auto; min-width: 160px; max-height: 200px; overflow: auto; }
.above textarea.editor, .above .group { top: auto; bottom: 0; }
.group label { display: flex; gap: 6px; align-items: center; min-height: 24px; }
.editor[aria-invalid=true] { border-color: var(--danger, #c8002b); }
.dialog, .card { position: absolute; z-index: 3; box-sizing: border-box; padding: 12px; background: var(--background, #fff); border: 1px solid var(--strong); border-radius: 4px; box-shadow: 0 4px 16px #0004; }
.dialog { left: var(--x, 16px); top: var(--y, 16px); max-width: min(480px, 100%); max-height: 100%; overflow: auto; }
.dialog h2 { font-size: 15px; margin: 0 0 8px; }
.dialog dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 12px; margin: 0 0 12px; }
.dialog dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; }
.merged { flex: 1 0 100%; display: grid; gap: 4px; }
.merged .editor { border: 1px solid var(--strong); padding: 4px 6px; box-sizing: border-box; width: 100%; }
.card { left: var(--x); top: var(--y); width: max-content; max-width: min(320px, 100%); max-height: min(60%, var(--most)); overflow: auto; padding: 8px 10px; pointer-events: none; }
.card a { pointer-events: auto; }
.card p { margin: 0 0 4px; overflow-wrap: anywhere; }
.card ul { margin: 0; padding: 0; list-style: none; display: grid; gap: 4px; }
.card .value { display: block; white-space: pre-wrap; overflow-wrap: anywhere; }
.card .by { color: var(--strong); font-size: 12px; }
.message { padding: 16px; }
${threadStyles}`;
