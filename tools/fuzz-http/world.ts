import { connect } from 'node:net';
import type { ActorInWorld, Kind } from '../../apps/service/src/testing/access-matrix/world.ts';
import { canaries, maskedSettings } from './canaries.ts';
import { type ClientAnswer, type ClientOptions, call } from './client.ts';
import type { Random } from './random.ts';
import { type Role, roles } from './roles.ts';
import type { FuzzedService } from './service.ts';

const MISSING = 'f'.repeat(24);
const TICKET_HOLDERS: readonly Role[] = ['reader', 'writer', 'deleter', 'owner', 'ADMIN'];

/** Whether this machine can connect from any address of 127.0.0.0/8, which avoids the limits per address. */
function hasManyAddresses(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: '127.9.8.7' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** The test data: the objects and credentials that requests use. The keeper creates them. */
export class World {
  readonly service: FuzzedService;
  readonly ids: Record<Kind, string[]> = {
    kapsule: [],
    deletedKapsule: [],
    user: [],
    group: [],
    apiKey: [],
    job: [],
  };
  granuleIds: string[] = [];
  witnessId = '';
  foreignId = '';
  readonly tokens = new Map<Role, string>();
  /** Tokens of ended sessions, by their former role. */
  readonly retired = new Map<string, Role>();
  /** The token of the session that issued each ticket. */
  readonly ticketTokens = new Map<string, string>();
  readonly userIds = new Map<string, string>();
  /** Roles whose session may have ended. */
  readonly suspects = new Set<Role>();
  key = '';
  readKey = '';
  readonly #manyAddresses: boolean;
  #addresses = 0;

  private constructor(service: FuzzedService, manyAddresses: boolean) {
    this.service = service;
    this.#manyAddresses = manyAddresses;
  }

  static async on(service: FuzzedService): Promise<World> {
    return new World(service, await hasManyAddresses(service.port));
  }

  get canaries(): readonly string[] {
    return [...canaries, this.service.planted];
  }

  /** Another source address for each request. */
  source(): string | undefined {
    if (!this.#manyAddresses) return undefined;
    this.#addresses += 1;
    const count = this.#addresses;
    return `127.${1 + ((count >> 14) % 250)}.${(count >> 7) % 128}.${1 + (count % 128)}`;
  }

  call(method: string, path: string, options: ClientOptions = {}): Promise<ClientAnswer> {
    return call(this.service.port, method, path, { source: this.source(), ...options });
  }

  token(role: Role): string {
    return this.tokens.get(role) ?? '';
  }

  apiKey(role: Role): string {
    return role === 'readKey' ? this.readKey : this.key;
  }

  baseSettings(): object {
    return maskedSettings;
  }

  /** A user whom requests may change, lock and delete. */
  victim(random: Random): ActorInWorld {
    const userId = random.pick(this.ids.user) ?? MISSING;
    return { userId, username: this.userIds.get(userId) ?? 'victim', headers: {} };
  }

  granuleId(random: Random): string {
    return random.pick(this.granuleIds) ?? MISSING;
  }

  idOf(kind: Kind, role: Role, random: Random): string {
    const draw = random.next();
    if (draw < 0.1) return MISSING;
    if (kind === 'kapsule' && draw < 0.2) return roles[role].maySeeWitness ? this.witnessId : this.foreignId;
    return random.pick(this.ids[kind]) ?? MISSING;
  }

  /** The URL with a ticket; with an invalid one when the service issues no more. */
  async ticketFor(path: string, random: Random): Promise<string> {
    const token = this.token(random.pick(TICKET_HOLDERS));
    const { body } = await this.call('POST', '/api/download/ticket', { token, body: { path } });
    if (typeof body['url'] === 'string') {
      this.ticketTokens.set(new URL(body['url'], 'http://localhost').searchParams.get('ticket') ?? '', token);
      return body['url'];
    }
    return `${path}${path.includes('?') ? '&' : '?'}ticket=${'A'.repeat(43)}`;
  }

  /** A .kap file with a new name: a taken name would be refused before other checks. */
  kapFile(random: Random): string {
    const name = `imported ${random.below(2 ** 31)}`;
    const kapsule = { name, keyField: 'id', fields: [{ name: 'comment', type: 'text' }] };
    return JSON.stringify({ format: 'kap', version: 1, kapsule });
  }

  giveToken(role: Role, token: string): void {
    const before = this.tokens.get(role);
    if (before !== undefined) this.retired.set(before, role);
    this.tokens.set(role, token);
  }

  /** The values of this world by names that mean the same in another world. */
  names(): [value: string, name: string][] {
    const tokens = [...this.retired, ...[...this.tokens].map(([role, token]) => [token, role] as const)];
    const numbered = (kind: string, ids: readonly string[]) =>
      ids.map((id, index): [string, string] => [id, `${kind} ${index}`]);
    const all: [string, string][] = [
      ...tokens.map(([token, role]): [string, string] => [token, `token ${role}`]),
      [this.key, 'key'],
      [this.readKey, 'readKey'],
      [this.witnessId, 'witness'],
      [this.foreignId, 'foreign'],
      ...Object.entries(this.ids).flatMap(([kind, ids]) => numbered(kind, ids)),
      ...numbered('granule', this.granuleIds),
    ];
    return all.filter(([value]) => value !== '');
  }
}
