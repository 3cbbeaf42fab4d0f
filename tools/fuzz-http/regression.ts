import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Shot } from './wire.ts';
import type { World } from './world.ts';

/** A shot as a file: one character per byte, values of the world as `<<name>>`. */
const StoredShot = z.object({
  bytes: z.string(),
  cuts: z.array(z.number()),
  pauseMs: z.number(),
  ending: z.enum(['answer', 'fin', 'reset', 'leave', 'wait']),
  isCut: z.boolean(),
  methods: z.array(z.string()),
});

const Regression = z.object({
  /** The fault of the service when this was found. */
  problem: z.string(),
  /** The calls that the shots were mutated from, for readers. */
  began: z.string(),
  shots: z.array(StoredShot),
});
export type Regression = z.infer<typeof Regression>;

const FOLDER = join(import.meta.dirname, 'regressions');

export const regressionFiles = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(FOLDER, name));

export const readRegression = (file: string): Regression =>
  Regression.parse(JSON.parse(readFileSync(file, 'utf8')));

/** Tokens and ids have the same length in every world, so lengths in the request stay right. */
export function toStored(shot: Shot, world: World): z.infer<typeof StoredShot> {
  let bytes = shot.bytes.toString('latin1');
  for (const [value, name] of world.names()) bytes = bytes.replaceAll(value, `<<${name}>>`);
  return { ...shot, bytes, cuts: [...shot.cuts], methods: [...shot.methods] };
}

export function fromStored(stored: z.infer<typeof StoredShot>, world: World): Shot {
  let text = stored.bytes;
  for (const [value, name] of world.names()) text = text.replaceAll(`<<${name}>>`, value);
  return { ...stored, bytes: Buffer.from(text, 'latin1') };
}

export function store(name: string, regression: Regression): string {
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, `${name}.json`);
  writeFileSync(file, `${JSON.stringify(regression, null, 2)}\n`);
  return file;
}
