import type { Binding } from '@kaptain/data-sources';

export const binding = (table: string): Binding => ({
  table,
  keyField: 'OrderId',
  fields: [
    { name: 'Comment', type: 'text' },
    { name: 'Amount', type: 'number' },
    { name: 'OrderDate', type: 'date' },
    { name: 'Country', type: 'text' },
  ],
});
