import { AppError } from '../../base/errors/app-error.ts';

/** The fields or the locks of the kapsule are others by now: the rows were checked by those that were read before. */
export class OvertakenError extends AppError {
  constructor() {
    super('CONFLICT', 'The fields or the locks were changed meanwhile. Please try again.');
  }
}
