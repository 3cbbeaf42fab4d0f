export { approvedFields, changedFields } from './approved-fields.ts';
