import { api, type Route } from '@kaptain/contract';
import { actorNames, actors, type Rows, relations } from './rows.ts';
import { matrix } from './table.ts';

const legend = (words: Record<string, string>) =>
  Object.entries(words).map(([name, meaning]) => `- **${name}**: ${meaning}`);

/** The table as a document: the status that each kind of caller gets for each kind of object. */
export function accessMatrixDocument(): string {
  const table = matrix as Record<string, Record<string, Rows>>;
  const rows = Object.entries(api).flatMap(([noun, routes]) =>
    Object.entries<Route>(routes).flatMap(([name, { method, path }]) =>
      Object.entries(table[noun]?.[name] ?? {}).map(
        ([relation, row]) => `| ${method} \`${path}\` | ${relation} | ${row.split(' ').join(' | ')} |`,
      ),
    ),
  );
  return [
    'The answer of every call to every kind of caller. A test makes all of these requests; calls that are not built yet',
    'are refused in the same way and otherwise answer 501.',
    '',
    ...legend(actors),
    '',
    'Objects:',
    '',
    ...legend(relations),
    '',
    `| call | object | ${actorNames.join(' | ')} |`,
    `|---|---|${actorNames.map(() => '---|').join('')}`,
    ...rows,
    '',
  ].join('\n');
}
