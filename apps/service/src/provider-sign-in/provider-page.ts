import { type Html, html } from '../http/html.ts';
import { plainPage } from '../http/plain-page.ts';
import type { MappedPerson } from '../security/provider-claims.ts';

const page = (title: string, content: Html): string => plainPage(title, '/extension/sign-in.css', content);

/** Why a sign-in did not work; its link leads to our own login page. */
export const failedPage = (reason: string): string =>
  page(
    'The sign-in did not work',
    html`<p role="alert">${reason}</p><p><a href="/login">Back to the login</a></p>`,
  );

/** The result of a test: what a sign-in of this person would mean. */
export const testedPage = ({ username, role, groups }: MappedPerson): string =>
  page(
    'The sign-in works',
    html`<p>Nothing was stored, and no session was opened. This person would be:</p>
      <dl>
        <dt>User Name</dt><dd>${username}</dd>
        <dt>Role</dt><dd>${role}</dd>
        <dt>Groups</dt><dd>${groups === undefined ? 'as they are: no groups are mapped' : groups.join(', ') || 'none'}</dd>
      </dl>
      <p>You can close this window.</p>`,
  );
