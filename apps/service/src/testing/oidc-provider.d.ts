/** The parts of the package that tests use; it comes without types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface ProviderClientMetadata {
    client_id: string;
    client_secret: string;
    redirect_uris: string[];
    [name: string]: unknown;
  }
  interface Context {
    path: string;
    req: IncomingMessage;
    res: ServerResponse;
    respond: boolean;
    body?: { id_token?: string };
    oidc: { client: { clientId: string }; session: { accountId: string } };
  }
  interface Grant {
    addOIDCScope(scopes: string): void;
    save(): Promise<string>;
  }
  interface IdToken {
    mask: Record<string, null>;
    set(name: string, value: unknown): void;
    issue(options: { use: 'logout' }): Promise<string>;
  }
  interface Configuration {
    clients: ProviderClientMetadata[];
    loadExistingGrant(context: Context): Promise<Grant>;
    [name: string]: unknown;
  }
  export class Provider {
    constructor(issuer: string, configuration: Configuration);
    Grant: new (values: {
      clientId: string;
      accountId: string;
    }) => Grant;
    Client: { find(id: string): Promise<object | undefined> };
    IdToken: new (
      claims: object,
      options: { client: object | undefined; ctx: undefined },
    ) => IdToken;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
