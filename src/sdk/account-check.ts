/** Refuses a state that belongs to another account than the client. */
import type { Diagnostic as ProtocolDiagnostic } from "../plugin/protocol/tfplugin6";
import { OtherAccount, type Account } from "./account";
import { isHopeless, reportOnce, type notDone, type Surroundings } from "./session";

/** The account to note. Throws OtherAccount if the object belongs to another one. `title` names the object. */
export async function checkedAccount<Client>(
  { accounts, session }: Pick<Surroundings<Client>, "accounts" | "session">,
  noted: Account | undefined,
  title: () => string,
): Promise<Account | undefined> {
  const client = session()?.client;
  if (!accounts || !client || isHopeless(session())) return noted;
  const current = await accounts.current(client);
  if (!current || !noted || current.id === noted.id || accounts.isExpected(client, current)) return current ?? noted;
  throw new OtherAccount(
    "The state belongs to another tenant",
    `${title()} is an object of ${noted.name}, but the provider's configuration is for ${current.name}. Nothing was changed. ` +
      accounts.remedy(current),
  );
}

/** The account to note with a change, and the errors that forbid the change. */
export async function accountFor<Client>(
  surroundings: Surroundings<Client>,
  noted: Account | undefined,
  title: () => string,
  instead?: typeof notDone,
): Promise<{ readonly account: Account | undefined; readonly errors: readonly ProtocolDiagnostic[] }> {
  try {
    return { account: await checkedAccount(surroundings, noted, title), errors: [] };
  } catch (error) {
    return { account: noted, errors: reportOnce(surroundings, error, instead) };
  }
}
