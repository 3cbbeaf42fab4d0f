import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { isTrial } from './options.ts';
import { withSection } from './sections.ts';

const RESULTS = join(import.meta.dirname, '..', 'RESULTS.md');

interface Reading {
  /** The goal: shares and speeds have a lowest, times and memory a highest value. A figure without a goal is only told. */
  atLeast?: number | undefined;
  atMost?: number | undefined;
  unit?: string;
  details?: string;
}

let lines: string[] = [];

/** Prints a figure beside its goal; a missed goal makes the exit code of the bench 1. A figure that is no number misses. */
export function figure(
  label: string,
  value: number,
  { atLeast, atMost, unit = 'x', details = '' }: Reading = {},
): void {
  const hasGoal = (atLeast ?? atMost) !== undefined;
  const isReached =
    value >= (atLeast ?? Number.NEGATIVE_INFINITY) && value <= (atMost ?? Number.POSITIVE_INFINITY);
  const goal = hasGoal ? `goal ${atLeast === undefined ? `<= ${atMost}` : `>= ${atLeast}`}${unit}` : '';
  const text = `${value.toFixed(Math.abs(value) < 100 ? 2 : 0)}${unit}`;
  const isJudged = hasGoal && !isTrial;
  if (isJudged && !isReached) process.exitCode = 1;
  const word = isJudged ? (isReached ? 'ok    ' : 'MISSED') : '      ';
  const brackets = [goal, details].filter(Boolean).join('; ');
  console.log(`  ${word} ${label}: ${text}${brackets && ` (${brackets})`}`);
  lines.push(`| ${label} | ${text} | ${goal}${isReached ? '' : ', missed'} | ${details} |`);
}

/** A line of the result that no goal belongs to. */
export function note(label: string, details: string): void {
  console.log(`         ${label}: ${details}`);
  lines.push(`| ${label} | | | ${details} |`);
}

/** Ends a part of the bench: a full run replaces its section of RESULTS.md. */
export function endSection(headings: readonly string[], size = ''): void {
  const table = lines;
  lines = [];
  if (isTrial || table.length === 0) return;
  const day = new Date().toISOString().slice(0, 10);
  const machine = `${availableParallelism()} processors (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`;
  const body = [
    `${day}, ${machine}${size && `, ${size}`}.`,
    '',
    '| what | measured | goal | |',
    '|---|---|---|---|',
    ...table,
  ];
  writeFileSync(RESULTS, withSection(readFileSync(RESULTS, 'utf8'), headings, body.join('\n')));
}
