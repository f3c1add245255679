/** The account of the service that a state belongs to. */
import { DiagnosticError } from "./diagnostic";

/** Noted in private state. */
export interface Account {
  /** The same for all addresses of one account, and different for each account. */
  readonly id: string;
  /** How people name it. */
  readonly name: string;
}

/** The part of private state that tells the account of an object. */
export interface Noted {
  readonly account?: Account | undefined;
  /** Only in the plan of a new object: the address in the configuration, if the account was not known without an API call. */
  readonly address?: string | undefined;
}

export interface Accounts<Client> {
  /** The account, if it is known without an API call. */
  known(client: Client): Account | undefined;
  /** The address in the configuration, the same for all its spellings. An account can have several. */
  address(client: Client): string;
  /** The account of the client. Gets credentials if there are none yet, as the next API call does. Undefined if they do not name it. */
  current(client: Client): Promise<Account | undefined>;
  /** From now on, the client sends no call to another account: states or plans were compared with this one. */
  stay(client: Client): void;
  /** Whether the person said that states may move to this account. */
  isExpected(client: Client, account: Account): boolean;
  /** The ways out of a mismatch with a state or with a plan. */
  remedy(current: Account, of: "state" | "plan"): string;
}

/** Every object of the run meets it. */
export class OtherAccount extends DiagnosticError {}
