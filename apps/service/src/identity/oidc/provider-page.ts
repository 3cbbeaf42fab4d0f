import { type Html, html } from '../../http/pages/html.ts';
import { plainPage } from '../../http/pages/plain-page.ts';
import type { MappedPerson } from './provider-claims.ts';
import type { FlowState } from './provider-flows.ts';

const page = (title: string, content: Html): string => plainPage(title, '/extension/sign-in.css', content);

const CLOSE = html`<p>Close this window, and begin again on the page that opened it.</p>`;
const BACK = html`<p><a href="/login">Back to the login</a></p>`;

/** Why a sign-in did not work. Its only link leads to our own login page; windows that a page has opened have none. */
export const failedPage = (reason: string, to: FlowState['to'] = 'console'): string =>
  page('The sign-in did not work', html`<p role="alert">${reason}</p>${to === 'console' ? BACK : CLOSE}`);

/** The result of a test: what a sign-in of this person would mean. */
export const testedPage = ({ username, role, groups, isAllowed }: MappedPerson): string =>
  page(
    'The sign-in works',
    html`<p>Nothing was stored, and no session was opened. ${isAllowed ? 'This person would be:' : 'This person would be refused: they have none of the values for ADMIN and USER.'}</p>
      <dl>
        <dt>User Name</dt><dd>${username}</dd>
        <dt>Role</dt><dd>${isAllowed ? role : 'none'}</dd>
        <dt>Groups</dt><dd>${groups === undefined ? 'as they are: no groups are mapped' : groups.join(', ') || 'none'}</dd>
      </dl>
      <p>You can close this window.</p>`,
  );

/** Hands the code of a sign-in in a window to the page that waits for it; that page alone has the secret that belongs to it. */
export const handoverPage = (flow: string, code: string): string =>
  page(
    'Thank you',
    html`<p role="status" data-flow="${flow}" data-code="${code}">You can close this window. The page that opened it goes on by itself.</p>
      <script type="module" src="/auth/provider/handover.js"></script>`,
  );
