/** An edit that is not entered yet. */
export interface OpenEditor {
  readonly isChanged: boolean;
  /** Enters what it has, as a click elsewhere does. */
  enter(): void;
}
