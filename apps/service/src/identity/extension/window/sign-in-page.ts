import type { ChooseRequest, SignInRequest } from '@kaptain/contract';
import type { z } from 'zod';
import { type Html, html } from '../../../http/pages/html.ts';
import { plainPage } from '../../../http/pages/plain-page.ts';

/** Where people sign in with Qlik Cloud, and as which OAuth client. */
export interface CloudSignIn {
  tenant: string;
  clientId: string;
}

/** Ways to sign in beside an own account. */
interface Ways {
  /** The name of the provider of the company. */
  provider?: string | undefined;
  cloud?: CloudSignIn | undefined;
}

type Request = z.output<typeof SignInRequest>;

const page = (content: Html): string => plainPage('Sign in', '/extension/sign-in.css', content);

/** The buttons are enabled by the script: a click before it is loaded would be lost. */
const fields = ({ provider, cloud }: Ways = {}) => html`
      <div id="password-step">
        <label for="username">Username</label>
        <input id="username" name="username" autocomplete="username" maxlength="255" required autofocus>
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required>
      </div>
      <div id="passkey-step" hidden>
        <button type="button" id="passkey" disabled>Use a passkey</button>
      </div>
      <div id="code-step" hidden>
        <label for="code">Code of your authenticator app, or a recovery code</label>
        <input id="code" name="code" autocomplete="one-time-code" maxlength="32">
      </div>
      <p id="message" role="alert"></p>
      <button type="submit" id="submit" disabled>Sign in</button>
      ${provider === undefined ? html`` : html`<button type="button" id="provider" disabled>Sign in with ${provider}</button>`}
      ${cloud === undefined ? html`` : html`<button type="button" id="cloud" disabled data-tenant="${cloud.tenant}" data-client-id="${cloud.clientId}">Sign in with Qlik Cloud</button>`}`;
const script = html`<script type="module" src="/extension/sign-in.js"></script>`;

/** The form; what the script needs is in its data attributes. */
export const signInPage = ({ origin, kapsules, challenge, state }: Request, ways: Ways): string =>
  page(html`
    <p>You sign in to write as yourself on the page <strong>${origin}</strong>.</p>
    <form data-origin="${origin}" data-kapsules="${kapsules.join(',')}" data-challenge="${challenge}" data-state="${state}">${fields(ways)}</form>
    ${script}`);

/** The same form; the author of the sheet chooses a kapsule afterwards. */
export const choosePage = (
  { origin, state, keyField, name }: z.output<typeof ChooseRequest>,
  provider?: string,
): string =>
  page(html`
    <p>You choose where comments of the page <strong>${origin}</strong> are stored.</p>
    <form data-origin="${origin}" data-state="${state}" data-key-field="${keyField}" data-name="${name}">${fields({ provider })}</form>
    ${script}`);

/** Where Qlik Cloud sends the window back to; it is the same for all. */
export const cloudReturnPage = (): string =>
  page(html`
    <p id="message" role="alert"></p>
    <p><a id="again" href="/extension/sign-in" hidden>Sign in with a Kaptain account</a></p>
    <script type="module" src="/extension/cloud-return.js"></script>`);

export const refusalPage = (message: string): string => page(html`<p role="alert">${message}</p>`);
