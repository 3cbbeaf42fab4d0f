import { createRequire } from 'node:module';
import React from 'react';
import { flushSync } from 'react-dom';

/*
 * The component tests run on React's production build, the shipped one, which takes half the time of the development build. It has
 * no `act`, which the testing library calls around every render and event: here `act` commits what the callback has changed.
 */

interface Scheduler {
  unstable_IdlePriority: number;
  unstable_scheduleCallback: (priority: number, work: () => void) => unknown;
}

const load = createRequire(createRequire(import.meta.url).resolve('react-dom'));
const { unstable_IdlePriority, unstable_scheduleCallback } = load('scheduler') as Scheduler;

/** Resolves when React has rendered all pending updates, transitions included: its scheduler runs idle work last. */
export const reactIsIdle = () =>
  new Promise<void>((resolve) => unstable_scheduleCallback(unstable_IdlePriority, resolve));

const act = async (callback: () => unknown): Promise<unknown> => flushSync(callback);

Object.assign(React, { act });
