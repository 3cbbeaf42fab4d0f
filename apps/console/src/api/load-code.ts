import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { untilServiceAnswers } from './reachability.ts';

/** The files of each part of the console, by the name of its module. */
type CodeFiles = Readonly<Record<string, readonly string[]>>;

/** The service does not have this file: it runs another version of the console. */
export class OutdatedCodeError extends Error {}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 10_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Fetches a file into the browser's cache, from which the import takes it. Waits while the service does not answer. */
async function fetchFile(file: string, priority: RequestPriority): Promise<void> {
  for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(2 * ms, LONGEST_PAUSE_MS)) {
    const response = await fetch(file, { priority }).catch(() => undefined);
    const isCode = response?.headers.get('content-type')?.includes('javascript');
    if (response?.ok && isCode && (await response.arrayBuffer().catch(() => undefined))) return;
    if (response && response.status < 500 && !isCode) throw new OutdatedCodeError(file);
    await Promise.all([untilServiceAnswers(), pause(ms)]);
  }
}

/** Fetches the files of parts, each file once. */
export function codeFetcher(files: CodeFiles) {
  const fetched = new Map<string, Promise<void>>();
  const fetchOnce = (file: string, priority: RequestPriority) => {
    const running = fetched.get(file) ?? fetchFile(file, priority);
    fetched.set(file, running);
    running.catch(() => fetched.delete(file));
    return running;
  };
  return async (module: string, priority: RequestPriority): Promise<void> => {
    const needed = files[module];
    if (!needed) throw new Error(`The build knows no part of the console called ${module}.`);
    await Promise.all(needed.map((file) => fetchOnce(file, priority)));
  };
}

/** The build puts the files in; development and component tests load modules without it. */
declare const CODE_FILES: string | undefined;
const fetchPart =
  typeof CODE_FILES === 'string' ? codeFetcher(JSON.parse(CODE_FILES) as CodeFiles) : () => Promise.resolve();

/**
 * Imports a part of the console after its files are fetched, which is repeated until the service answers:
 * browsers remember a failed import for the life of the page, a failed fetch they do not.
 */
export async function loadCode<T>(module: string, load: () => Promise<T>): Promise<T> {
  await fetchPart(module, 'high');
  return load();
}

/** A component that is loaded when it is first shown. */
export type LazyPart<Props> = LazyExoticComponent<ComponentType<Props>> & {
  /** Fetches its code into the browser's cache without running it. */
  prefetch?: () => Promise<void>;
};

/** The component of a module; both have the same name. */
export function lazyPart<Name extends string, Props>(
  name: Name,
  load: () => Promise<Record<Name, ComponentType<Props>>>,
): LazyPart<Props> {
  const part = lazy(async () => ({ default: (await loadCode(name, load))[name] }));
  return Object.assign(part, { prefetch: () => fetchPart(name, 'low') });
}
