/** Refuses a state of another account than that of the client. */
import type { Diagnostic as ProtocolDiagnostic } from "../plugin/protocol/tfplugin6";
import { DiagnosticError } from "./diagnostic";
import type { Account } from "./resource";
import { isHopeless, reportOnce, type notDone, type Surroundings } from "./session";

/** `account`: as noted in the state; `title` names the object. */
export interface Checked {
  readonly account?: Account | undefined;
  readonly title: () => string;
}

/** The account to note. Throws a DiagnosticError if the object belongs to another one. */
export async function checkedAccount<Client>(
  { accounts, session }: Pick<Surroundings<Client>, "accounts" | "session">,
  { account: noted, title }: Checked,
): Promise<Account | undefined> {
  const client = session()?.client;
  if (!accounts || !client || isHopeless(session())) return noted;
  const current = await accounts.current(client);
  if (!noted || !current || noted.id === current.id || accounts.isExpected(client, current)) {
    accounts.stay(client);
    return current ?? noted;
  }
  throw new DiagnosticError(
    "TNF-OTHER-TENANT",
    `${title()} is an object of ${noted.name}, but the provider's configuration is for ${current.name}. This object was not changed. ` +
      accounts.remedy(current),
  );
}

/** The account to note for a new object, if it is known without an API call. */
export function knownAccount<Client>({
  accounts,
  session,
}: Pick<Surroundings<Client>, "accounts" | "session">): Account | undefined {
  const client = session()?.client;
  return client && accounts?.known(client);
}

/** The account to note with a change, and the errors that forbid the change. */
export async function accountFor<Client>(
  surroundings: Surroundings<Client>,
  checked: Checked,
  instead?: typeof notDone,
): Promise<{ readonly account: Account | undefined; readonly errors: readonly ProtocolDiagnostic[] }> {
  try {
    return { account: await checkedAccount(surroundings, checked), errors: [] };
  } catch (error) {
    return { account: checked.account, errors: reportOnce(surroundings, error, instead) };
  }
}
