export const ROW_HEIGHT = 32;

/** In a constructed style sheet: the platform's content security policy may forbid style elements and attributes. */
export const styles = `
:host { display: block; height: 100%; }
.table { display: flex; flex-direction: column; height: 100%; font: 13px/1.4 'Source Sans Pro', Arial, sans-serif; color: #404040; background: #fff; position: relative; }
.bar { display: flex; gap: 8px; align-items: center; padding: 4px 8px; min-height: 32px; border-bottom: 1px solid #d9d9d9; }
.bar [role=status] { flex: 1; }
button { font: inherit; min-height: 28px; padding: 2px 10px; border: 1px solid #737373; border-radius: 3px; background: #fff; color: #404040; cursor: pointer; }
button:disabled { opacity: .5; cursor: default; }
.grid { flex: 1; overflow: auto; position: relative; outline: none; contain: strict; }
.head { position: sticky; top: 0; z-index: 1; background: #f2f2f2; font-weight: 600; }
.row { display: grid; grid-template-columns: repeat(var(--count), minmax(0, 1fr)); height: ${ROW_HEIGHT}px; min-width: calc(var(--count) * 120px); }
.space { position: absolute; inset: 0 auto auto 0; width: 1px; height: var(--height); }
.body { position: absolute; left: 0; width: 100%; transform: translateY(var(--top)); }
.cell { box-sizing: border-box; padding: 5px 8px; border-right: 1px solid #e6e6e6; border-bottom: 1px solid #e6e6e6; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; position: relative; }
.number { text-align: right; }
.field { background: #fcfcf5; }
.cell[data-state=waiting]::after { content: '…'; }
.cell[data-state=failed]::after { content: '!'; }
.cell[data-state=conflict]::after { content: '⇄'; }
.cell::after { position: absolute; right: 4px; top: 5px; font-weight: 700; }
.cell[data-state=waiting] { background: #fff4d6; }
.cell[data-state=failed] { background: #ffe0e0; }
.cell[data-state=conflict] { background: #f0e0ff; }
.active { box-shadow: inset 0 0 0 1px #8c8c8c; }
.grid:focus .active, .grid:focus-within .active { box-shadow: inset 0 0 0 2px #005fa3; }
.editor { position: absolute; inset: 0; box-sizing: border-box; width: 100%; height: 100%; border: 2px solid #005fa3; padding: 3px 6px; font: inherit; }
.editor[aria-invalid=true] { border-color: #b00020; }
.dialog { position: absolute; z-index: 2; inset: auto 16px 16px 16px; max-width: 480px; padding: 12px; background: #fff; border: 1px solid #737373; border-radius: 4px; box-shadow: 0 4px 16px #0004; }
.dialog h2 { font-size: 15px; margin: 0 0 8px; }
.dialog dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 12px; margin: 0 0 12px; }
.dialog dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.message { padding: 16px; }
`;
