import { refusalByAdmit } from '../../apps/service/src/testing/access-matrix/cells.ts';
import { type ContractCall, calls, isExcluded, validDraft } from './calls.ts';
import type { Draft, Mutation } from './draft.ts';
import { framingMutations } from './mutations/framing.ts';
import { headerMutations } from './mutations/headers.ts';
import { jsonMutations } from './mutations/json.ts';
import { targetMutations } from './mutations/target.ts';
import { uploadMutations } from './mutations/upload.ts';
import type { Random } from './random.ts';
import { type Role, roleNames } from './roles.ts';
import { serialise, writeUpload } from './serialise.ts';
import type { Shot } from './wire.ts';
import type { World } from './world.ts';

/** A request, its role, and the call that it was mutated from. */
export interface Attack {
  call: ContractCall;
  role: Role;
  shot: Shot;
}

/** The share of slow clients, each of which takes the whole time limit. */
const SLOW = 0.0005;

/** Most mutations change the part of the request with the most meaning, so that they get past the HTTP parser. */
function mutationFor(draft: Draft, random: Random): Mutation {
  const inBody = draft.parts ? uploadMutations : draft.body ? jsonMutations : undefined;
  if (inBody && random.chance(0.7)) return random.pick(inBody);
  return random.pick(random.chance(0.5) ? targetMutations : headerMutations);
}

/** Half of the cuts are beside a line end, where parsers change their state. */
function placeToCut(bytes: Buffer, random: Random): number {
  if (bytes.length === 0) return 0;
  if (random.chance(0.5)) return 1 + random.below(bytes.length);
  const from = random.chance(0.5) ? random.below(bytes.length) : Math.max(0, bytes.length - 400);
  const end = bytes.indexOf('\r\n', from);
  return Math.min(bytes.length, Math.max(1, (end < 0 ? bytes.length : end) + random.below(5)));
}

function mutate(draft: Draft, random: Random): void {
  const count = random.pick([0, 0, 1, 1, 1, 1, 2, 2, 3]);
  for (let done = 0; done < count; done++) mutationFor(draft, random)(draft, random);
  writeUpload(draft);
  // Truncates the body and its length alike, so that the parser of the body finds it, not that of HTTP.
  if (draft.parts && draft.body && random.chance(0.2))
    draft.body = draft.body.subarray(0, placeToCut(draft.body, random));
  if (draft.body && random.chance(0.15)) random.pick(framingMutations)(draft, random);
}

/** Flips or repeats bytes anywhere, also in the headers: the result may not be HTTP. */
function shake(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  const place = random.below(copy.length);
  if (random.chance(0.5)) {
    copy[place] = random.pick([0, 0x0a, 0x0d, 0x20, 0x3a, 0x80, 0xff, random.below(256)]);
    return copy;
  }
  const length = 1 + random.below(64);
  return Buffer.concat([copy.subarray(0, place), copy.subarray(place, place + length), copy.subarray(place)]);
}

function cutsOf(length: number, random: Random, count: number): number[] {
  const cuts = Array.from({ length: count }, () => random.below(length));
  return [...new Set(cuts)].sort((a, b) => a - b);
}

/** How the bytes are sent: whole, in pieces, cut, pipelined, half-closed or slowly. */
function deliver(draft: Draft, random: Random): Shot {
  const bytes = serialise(draft);
  const { method, isCut } = draft;
  const usual = { bytes, cuts: [], pauseMs: 0, isCut, methods: [method] };
  const draw = random.next();
  if (draw < SLOW) {
    const part = bytes.subarray(0, placeToCut(bytes, random));
    const isDribble = random.chance(0.5) && part.length > 20;
    const cuts = isDribble ? cutsOf(part.length, random, 20) : [];
    return { ...usual, bytes: part, cuts, pauseMs: 1000, isCut: true, ending: 'wait' };
  }
  if (draw < 0.14) {
    const cut = bytes.subarray(0, placeToCut(bytes, random));
    const ending = random.pick(['fin', 'reset', 'leave'] as const);
    return { ...usual, bytes: cut, pauseMs: random.below(30), isCut: true, ending };
  }
  if (draw < 0.2) {
    const shaken = shake(bytes, random);
    return { ...usual, bytes: shaken, isCut: true, ending: random.pick(['fin', 'leave'] as const) };
  }
  if (draw < 0.25) {
    const count = 2 + random.below(3);
    const whole = Buffer.concat(Array.from({ length: count }, () => bytes));
    return {
      ...usual,
      bytes: whole,
      isCut: true,
      methods: Array.from({ length: count }, () => method),
      ending: 'leave',
    };
  }
  if (draw < 0.35) {
    const cuts = cutsOf(bytes.length, random, 1 + random.below(4));
    return { ...usual, cuts, pauseMs: 1 + random.below(5), ending: isCut ? 'leave' : 'answer' };
  }
  // Node treats a half-closed connection as one whose client has disconnected.
  if (draw < 0.4) return { ...usual, isCut: true, ending: 'fin' };
  if (draw < 0.43) return { ...usual, ending: 'reset', isCut: true, pauseMs: random.below(20) };
  return { ...usual, ending: isCut ? 'leave' : 'answer' };
}

/** Roles that reach the handler: the others are refused before their bodies are read. */
function admitted({ route }: ContractCall): readonly Role[] {
  const isDownload = route.answer.kind === 'download';
  return roleNames.filter((role) =>
    role === 'ticket' ? isDownload : refusalByAdmit({ route, actor: role, relation: 'own' }) === undefined,
  );
}

/** The attack with this number; the same seed and number make the same attack on the same world. */
export async function attackOf(world: World, random: Random): Promise<Attack> {
  const call = random.pick(calls);
  const role = random.pick(random.chance(0.6) ? admitted(call) : roleNames);
  if (isExcluded(call, role)) return attackOf(world, random);
  const draft = await validDraft(call, role, world, random);
  mutate(draft, random);
  return { call, role, shot: deliver(draft, random) };
}
