import {
  MongoBulkWriteError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoParseError,
  MongoRuntimeError,
  MongoServerClosedError,
  MongoServerError,
  MongoUnexpectedServerResponseError,
} from 'mongodb';
import { expect, it } from 'vitest';
import { UnavailableError } from '../../errors.ts';
import { fromMongo, fromOpening } from './driver-errors.ts';

const refusal = new MongoServerError({ message: 'canary', code: 59, codeName: 'CommandNotFound' });

it('tells in one sentence what the server refuses while it is opened, without quoting it', () => {
  const sentences = [refusal, new MongoInvalidArgumentError('canary')].map((error) => {
    const told = fromOpening(error);
    expect(told).toBeInstanceOf(UnavailableError);
    return (told as Error).message;
  });
  expect(sentences).toEqual([
    'The database can not be used (CommandNotFound); check its version, its name, and whether it has this user.',
    'The database can not be used; check its version, its name, and whether it has this user.',
  ]);
  const refused = fromOpening(new MongoServerError({ message: '', code: 18 }));
  expect((refused as Error).message).toMatch(/refuses the user name or the password/);
});

it('leaves a mistake of ours as it is', () => {
  const ours = new TypeError('x is not a function');
  expect(fromOpening(ours)).toBe(ours);
  expect(fromMongo(refusal)).toBe(refusal);
});

it('knows a lost connection also in the middle of a bulk write', () => {
  const wrapped = new MongoBulkWriteError(new MongoNetworkError('read ECONNRESET'), {} as never);
  expect(fromMongo(wrapped)).toBeInstanceOf(UnavailableError);
});

it('knows a server that is gone, or whose port another program has', () => {
  const errors = [
    new MongoServerClosedError('Server is closed'),
    new MongoUnexpectedServerResponseError('no document'),
    new MongoRuntimeError('Connection creation failed without error'),
    new MongoParseError('Invalid message size'),
    // The driver wrote to a connection whose other end was closed.
    Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' }),
  ];
  for (const error of errors) expect(fromMongo(error)).toBeInstanceOf(UnavailableError);
});

it('knows a transaction that another one has aborted: its caller may try again', () => {
  const conflict = { message: 'WriteConflict', code: 112, errorLabels: ['TransientTransactionError'] };
  const refused = new MongoServerError(conflict);
  for (const error of [refused, new MongoBulkWriteError(refused, {} as never)])
    expect(fromMongo(error)).toBeInstanceOf(UnavailableError);
});
