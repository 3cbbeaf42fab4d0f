import { hashToken } from '../../base/secrets/tokens.ts';

/** Issuer and subject identify a person; neither name nor mail address does. */
export const subjectKeyOf = ({ issuer, subject }: { issuer: string; subject: string }): string =>
  hashToken(JSON.stringify([issuer, subject]));
