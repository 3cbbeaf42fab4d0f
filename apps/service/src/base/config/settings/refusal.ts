/** Why settings can't be used, and which field is wrong. */
export class Refusal extends Error {
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}
