import { type Api, accessLevels } from './route.ts';

/** The access of each call as a Markdown table, so that a change of permission shows in the diff. */
export function accessTable(api: Api): string {
  const rows = Object.values(api)
    .flatMap((routes) => Object.values(routes))
    .map(
      (route) => `| ${route.method} | \`${route.path}\` | ${route.access} | ${route.extra ? 'extra' : ''} |`,
    );
  const levels = Object.entries(accessLevels).map(([level, meaning]) => `- **${level}**: ${meaning}`);
  return [...levels, '', '| method | path | access | |', '|---|---|---|---|', ...rows, ''].join('\n');
}
