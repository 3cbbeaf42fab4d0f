import type { TestApp } from './test-app.ts';

/** The id and action of each audit entry in the app log, in its order. */
export const trailLines = ({ logLines }: Pick<TestApp, 'logLines'>): [entry: string, action: string][] =>
  logLines
    .map((line) => JSON.parse(line) as { entry?: string; action?: string })
    .flatMap(({ entry, action }) => (entry && action ? [[entry, action] as [string, string]] : []));
