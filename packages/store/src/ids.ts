export { idAt, isId, newId } from '@kaptain/contract/ids';
