export { idAt, isId, newId, newIdAfter } from '@kaptain/contract/ids';
