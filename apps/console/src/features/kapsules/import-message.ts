/** Spec 8: what is said about one .kap file. */
export const importMessage = (file: string, failure: string | undefined): string =>
  failure === undefined ? `${file} import successfully` : `${file} import failed, log: ${failure}`;
