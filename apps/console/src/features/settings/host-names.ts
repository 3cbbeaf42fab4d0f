import { messages } from '@kaptain/contract/messages';

/** Spec 5: a full URL is reduced to its host name; anything else stays as it was typed. */
export function hostNameOf(typed: string): string {
  const text = typed.trim();
  const candidate = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : text.includes('/') ? `https://${text}` : '';
  return URL.canParse(candidate) ? new URL(candidate).hostname || text : text;
}

/** Spec 5: must parse as a URL and is stored as its origin. */
export function originOf(typed: string): string {
  const text = typed.trim();
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  // The origin of a URL without a host, such as mailto:, is the text "null".
  if (origin === 'null') throw new Error(messages.originInvalid);
  return origin;
}

/** Spec 9: the default ports of engine and repository, shown in the fields. */
export function withPort(typed: string, port: number): string {
  const host = typed.trim();
  return host === '' || /:\d+$/.test(host) || host.includes('/') ? host : `${host}:${port}`;
}
