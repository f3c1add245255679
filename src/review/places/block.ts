/** The parts of a configuration file whose lines the review needs, from HCL or JSON. */

export interface Block {
  /** `resource`, `module`, `provider`. */
  readonly type: string;
  readonly labels: readonly string[];
  /** From 1. */
  readonly line: number;
  /** Attributes with a constant text or an address. */
  readonly texts: ReadonlyMap<string, string>;
  readonly blocks: readonly Block[];
  /** The position in the source of a CDK program, as a construct recorded it: `main.ts:41`. */
  readonly origin?: string;
}

/** The file has another form than Terraform reads. */
export class Unreadable extends Error {}
