import { z } from 'zod';
import { fieldTypeNames } from './registry.ts';

/** Apart from the types, because the extension has no Zod. */
export const FieldType = z.enum(fieldTypeNames);
export type FieldType = z.infer<typeof FieldType>;
