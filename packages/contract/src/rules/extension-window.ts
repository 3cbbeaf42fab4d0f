/** Where the service shows the window in which a person signs in for the extension. */
export const SIGN_IN_PATH = '/extension/sign-in';

/** Where Qlik Cloud sends the sign-in window back to, with a code: the redirect address of the OAuth client. */
export const CLOUD_RETURN_PATH = '/extension/cloud';

/** The `type` of the message with the code of Qlik Cloud. */
export const CLOUD_MESSAGE = 'kaptain-cloud';

/** Where the service shows the window in which the author of a sheet chooses a kapsule. */
export const CHOOSE_PATH = '/extension/choose';

/** The `type` of the message with the chosen kapsule. */
export const CHOSEN_MESSAGE = 'kaptain-kapsule';

/** The only call to which pages of allowed origins may send cookies. */
export const SESSION_PROOF_PATH = '/api/extension/tokens/session';

/** The `type` of the message that the sign-in window posts to the page that opened it. */
export const SIGN_IN_MESSAGE = 'kaptain-sign-in';
