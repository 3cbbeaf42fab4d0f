import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningSheet, startSheet } from '../sheet/sheet-server.ts';
import { demoApps, SHEET_KAPSULE, sheetApp } from './kapsules.ts';
import { demoLogins } from './login.mjs';
import { SHEET_KAPSULE_FILE } from './platform-file.mjs';

const service = `http://localhost:${process.env['KAPTAIN_PORT'] ?? 8000}`;

const cube = {
  qDimensions: [{ qDef: { qFieldDefs: ['AccountKey'] } }, { qDef: { qFieldDefs: ['Cost centre'] } }],
  qMeasures: [
    { qDef: { qDef: 'Sum(Budget)', qLabel: 'Budget' } },
    { qDef: { qDef: 'Sum(Actual)', qLabel: 'Actual' } },
  ],
};
const fields = [
  { name: 'Comment', type: 'paragraph' },
  { name: 'Status', type: 'choice', choices: 'open; in review; agreed; rejected' },
  { name: 'Adjustment', type: 'number' },
  { name: 'Discussion', type: 'thread' },
];

/** Serves the sheet of the demo: the extension on the rows of the simulated engine. */
export function startDemoSheet(folder: string, enginePort: number): Promise<RunningSheet> {
  // Known when the demo data is written, before the page is opened.
  const kapsule = () => readFileSync(join(folder, SHEET_KAPSULE_FILE), 'utf8');
  const writer = demoLogins.find(({ role }) => role === 'USER');
  return startSheet({
    intro: () => `<header><h1>${SHEET_KAPSULE} on a sheet</h1>
<p>The rows are simulated. Sign in as <strong>${writer?.username}</strong> with the password <strong>${writer?.password}</strong>, write a comment
or join a discussion (Enter opens it), and see it arrive in <a href="${service}/data/kapsules/${kapsule()}" target="_blank" rel="noopener">the console</a>:
log in there with the same name, and open the kapsule ${SHEET_KAPSULE}.</p></header>`,
    config: () => ({
      engine: `ws://127.0.0.1:${enginePort}/app/engineData`,
      app: demoApps[sheetApp]?.id ?? '',
      cube,
      fields,
      service,
      kapsule: kapsule(),
    }),
  });
}
