/** The account of the service that a state belongs to. */
import { DiagnosticError } from "./diagnostic";

/** Noted in private state. */
export interface Account {
  /** The same for all addresses of one account, and different for each account. */
  readonly id: string;
  /** How people name it. */
  readonly name: string;
}

export interface Accounts<Client> {
  /** The account, if it is known without an API call. */
  known(client: Client): Account | undefined;
  /** The account of the client. Gets credentials if there are none yet, as the next API call does. Undefined if they do not name it. */
  current(client: Client): Promise<Account | undefined>;
  /** From now on, the client sends no call to another account: a state was compared with this one. */
  stay(client: Client): void;
  /** Whether the person said that states may move to this account. */
  isExpected(client: Client, account: Account): boolean;
  /** The ways out of a mismatch with a state. */
  remedy(current: Account): string;
}

/** Every object of the run meets it. */
export class OtherAccount extends DiagnosticError {}
