const SECRET = 'kaptain.sign-in';

/** Keeps the secret of a sign-in in this tab while the browser is at the provider. */
export const storeSignIn = (verifier: string): void => sessionStorage.setItem(SECRET, verifier);

/** The secret of this tab, once; another tab or browser has none, and so gets no session. */
export function takeSignIn(): string {
  const verifier = sessionStorage.getItem(SECRET) ?? 'none';
  sessionStorage.removeItem(SECRET);
  return verifier;
}

/** The code that the address has when the browser comes back; it is removed from the address and its history. */
export function takeSignInCode(): string | undefined {
  const code = /^#sign-in=([\w-]{43})$/.exec(location.hash)?.[1];
  if (code !== undefined) history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}
