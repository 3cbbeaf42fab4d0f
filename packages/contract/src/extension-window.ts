/** Where the service shows the window in which a person signs in for the extension. */
export const SIGN_IN_PATH = '/extension/sign-in';

/** The only call to which pages of allowed origins may send cookies. */
export const SESSION_PROOF_PATH = '/api/extension/tokens/session';

/** The `type` of the message that the sign-in window posts to the page that opened it. */
export const SIGN_IN_MESSAGE = 'kaptain-sign-in';
