import type { HostileCase } from './case.ts';
import { CONTENT_CASES } from './content-cases.ts';
import { EXTENT_CASES } from './extent-cases.ts';
import { HEADER_CASES } from './header-cases.ts';
import { ROW_CASES } from './row-cases.ts';
import { SYMBOL_CASES } from './symbol-cases.ts';

export const HOSTILE_CASES: readonly HostileCase[] = [
  ...HEADER_CASES,
  ...CONTENT_CASES,
  ...EXTENT_CASES,
  ...SYMBOL_CASES,
  ...ROW_CASES,
];
