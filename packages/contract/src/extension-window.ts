/** Where the service shows the window in which a person signs in for the extension. */
export const SIGN_IN_PATH = '/extension/sign-in';

/** Where the service shows the window in which the author of a sheet chooses a kapsule. */
export const CHOOSE_PATH = '/extension/choose';

/** The `type` of the message with the chosen kapsule. */
export const CHOSEN_MESSAGE = 'kaptain-kapsule';

/** The only call to which pages of allowed origins may send cookies. */
export const SESSION_PROOF_PATH = '/api/extension/tokens/session';

/** The `type` of the message that the sign-in window posts to the page that opened it. */
export const SIGN_IN_MESSAGE = 'kaptain-sign-in';
