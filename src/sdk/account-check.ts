/** Refuses a state or a plan for another account than that of the client. */
import type { Diagnostic as ProtocolDiagnostic } from "../plugin/protocol/tfplugin6";
import { OtherAccount, type Account, type Noted } from "./account";
import { isHopeless, reportOnce, type notDone, type Surroundings } from "./session";

/** `title` names the object. */
export interface Checked extends Noted {
  readonly title: () => string;
  /** The object does not exist yet: the notes of the plan that Terraform applies count, and one of them must fit. */
  readonly planned?: readonly Noted[];
}

/** The account to note. Throws OtherAccount if the object belongs to another one, or was planned for another one. */
export async function checkedAccount<Client>(
  { accounts, session }: Pick<Surroundings<Client>, "accounts" | "session">,
  { account: noted, title, planned }: Checked,
): Promise<Account | undefined> {
  const client = session()?.client;
  if (!accounts || !client || isHopeless(session())) return noted;
  const current = await accounts.current(client);
  const here = accounts.address(client);
  const now = current ?? { id: here, name: here };
  const isHere = ({ account, address }: Noted) =>
    account ? !current || account.id === current.id : [undefined, here, current?.id].includes(address);
  const notes: readonly Noted[] = planned ?? [{ account: noted }];
  const [first] = notes;
  if (!first) return current ?? noted;
  if (notes.some(isHere) || accounts.isExpected(client, now)) {
    accounts.stay(client);
    return current ?? noted;
  }
  const other = first.account?.name ?? first.address;
  throw planned
    ? new OtherAccount(
        "The plan is for another tenant",
        `The plan was made for ${other}, but the provider's configuration is for ${now.name}. Nothing was changed. ` +
          accounts.remedy(now, "plan"),
      )
    : new OtherAccount(
        "The state belongs to another tenant",
        `${title()} is an object of ${other}, but the provider's configuration is for ${now.name}. Nothing was changed. ` +
          accounts.remedy(now, "state"),
      );
}

/** The note for a new object, without an API call. */
export function notedForNew<Client>({ accounts, session }: Pick<Surroundings<Client>, "accounts" | "session">): Noted {
  const client = session()?.client;
  if (!accounts || !client) return {};
  const account = accounts.known(client);
  return account ? { account } : { address: accounts.address(client) };
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
