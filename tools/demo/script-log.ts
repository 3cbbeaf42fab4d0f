import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const stamp = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** Writes the script log of a past run in the simulator's format. */
export function writeScriptLog(
  folder: string,
  run: { id: string; name: string; table: string; from: number; ms: number; failReason: string | null },
): string {
  const { id, name, table, from, ms, failReason } = run;
  const lines: [share: number, text: string][] = [
    [0, 'Execution started.'],
    [0, 'SIMULATOR: this log belongs to the demo data, not to a Qlik engine.'],
    [0, `0001  // ${name}`],
    [0.05, `0002  [${table}]: LOAD * FROM [lib://Simulated/${table}.qvd] (qvd);`],
    [0.7, `      ${(ms * 13).toLocaleString('en-US')} lines fetched into ${table}`],
    ...(failReason
      ? ([
          [0.9, `Error: ${failReason}`],
          [1, 'Execution Failed'],
        ] as const)
      : ([[1, 'Execution finished.']] as const)
    ).map(([share, text]): [number, string] => [share, text]),
  ];
  mkdirSync(folder, { recursive: true });
  const file = `${id}.log`;
  const text = lines.map(([share, line]) => `${stamp(from + share * ms)}      ${line}\r\n`).join('');
  writeFileSync(join(folder, file), text);
  return file;
}
