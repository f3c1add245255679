/** Keeps states apart that belong to different accounts of the service. */
import type { Diagnostic as ProtocolDiagnostic } from "../plugin/protocol/tfplugin6";
import { DiagnosticError } from "./diagnostic";
import { isHopeless, notDone, reportOnce, type Surroundings } from "./session";

/** Noted in private state. */
export interface Account {
  /** The same for all addresses of one account, and different for each account. */
  readonly id: string;
  /** How people name it. */
  readonly name: string;
}

export interface Accounts<Client> {
  /** The account of the client. Gets credentials if there are none yet, as the next API call does. Undefined if they do not name it. */
  current(client: Client): Promise<Account | undefined>;
  /** The same, if it needs no request. */
  known(client: Client): Promise<Account | undefined>;
  /** Whether the person said that states may move to this account. */
  isExpected(client: Client, account: Account): boolean;
  /** The ways out of a mismatch. */
  remedy(client: Client, current: Account): string;
}

/** Every object of the run meets it. */
export class OtherAccount extends DiagnosticError {}

/** The account to note. Throws OtherAccount if the object belongs to another one. `title` names the object. */
export async function checkedAccount<Client>(
  { accounts, session }: Pick<Surroundings<Client>, "accounts" | "session">,
  noted: Account | undefined,
  title: () => string,
): Promise<Account | undefined> {
  const client = session()?.client;
  if (!accounts || !client || isHopeless(session())) return noted;
  const current = noted ? await accounts.current(client) : await accounts.known(client);
  if (!current || !noted || current.id === noted.id || accounts.isExpected(client, current)) return current ?? noted;
  throw new OtherAccount(
    "The state belongs to another tenant",
    `${title()} is an object of ${noted.name}, but the provider's configuration is for ${current.name}. Nothing was changed. ` +
      accounts.remedy(client, current),
  );
}

/** The errors that forbid a change of the object. */
export async function accountErrors<Client>(
  surroundings: Surroundings<Client>,
  noted: Account | undefined,
  title: () => string,
  instead?: typeof notDone,
): Promise<ProtocolDiagnostic[]> {
  try {
    await checkedAccount(surroundings, noted, title);
    return [];
  } catch (error) {
    return reportOnce(surroundings, error, instead);
  }
}

/** The account to note after a change, without a request. */
export async function accountNow<Client>(
  { accounts, session }: Pick<Surroundings<Client>, "accounts" | "session">,
  noted: Account | undefined,
): Promise<Account | undefined> {
  const client = session()?.client;
  return (client && (await accounts?.known(client))) ?? noted;
}
