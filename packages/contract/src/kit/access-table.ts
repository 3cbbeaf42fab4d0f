import { type Api, accessLevels, type Route } from './route.ts';

const proofMarks = { always: 'proof', ifAsked: 'proof if asked' } as const;

const marksOf = ({ extra, proof }: Route): string =>
  [extra ? 'extra' : '', proof ? proofMarks[proof] : ''].filter(Boolean).join(', ');

/** The access of each call as a Markdown table, so that a change of permission shows in the diff. */
export function accessTable(api: Api): string {
  const rows = Object.values(api)
    .flatMap((routes) => Object.values(routes))
    .map((route) => `| ${route.method} | \`${route.path}\` | ${route.access} | ${marksOf(route)} |`);
  const levels = Object.entries(accessLevels).map(([level, meaning]) => `- **${level}**: ${meaning}`);
  const marks = [
    '- *proof*: The caller must have shown in the last 15 minutes who they are.',
    '- *proof if asked*: The same, while *Ask again before sensitive actions* is on in the settings.',
  ];
  return [...levels, ...marks, '', '| method | path | access | |', '|---|---|---|---|', ...rows, ''].join(
    '\n',
  );
}
