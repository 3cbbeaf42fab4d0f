/** The one screen before the registered ones. Every visit begins with its code. */
export { LoginPage } from '../features/session/LoginPage.tsx';
