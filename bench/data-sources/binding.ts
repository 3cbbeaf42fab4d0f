import type { Binding } from '@kaptain/data-sources';
import { mixedFields } from '../kit/mixed.ts';

export const binding = (table: string): Binding => ({ table, keyField: 'OrderId', fields: [...mixedFields] });
