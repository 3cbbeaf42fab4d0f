import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectSafe } from './oracle.ts';

const CORPUS = new URL('corpus/', import.meta.url);
const names = readdirSync(CORPUS).filter((name) => name.endsWith('.bin'));

describe('an input the fuzzer found', () => {
  it.each(names)('%s is refused or read completely', async (name) => {
    await expect(expectSafe(readFileSync(new URL(name, CORPUS)))).resolves.toBeUndefined();
  });
});
