/**
 * A row of the table says what one change of one type of resource does to people. The table is data: a new row is one line in a file of
 * `rows/`, in the same form as the rows that people write in `.tenantform/rules.json`. The first row that fits a change decides.
 *
 *     { path: "callbacks", change: "removed", level: "high", code: "TNF-CALLBACK-REMOVED", text: "Sign-ins of {name} that return to …" }
 */
import type { FindingCode } from "../../codes/codes";
import type { Level } from "../../codes/row";

export interface Row {
  readonly type: string;
  /**
   * The attribute without indexes: `options.client_id`. `*` stands for one name, `**` for any rest, `|` separates alternatives. Left out: the
   * change is of the object.
   */
  readonly path?: string;
  /**
   * Of an object: `create`, `destroy` or `replace`. Of a value: `removed`, `added` (an element, or a value that was absent), perhaps with
   * the element (`removed refresh_token`; `[*]` is a star itself), `emptied` (no element is left), `lower`, `higher`, `order`, `any`, or `old->new`, where `*` is any value,
   * `none` an absent one and `|` separates alternatives. `higher 100`: to at least 100; `lower 100`: to at most 100. Of a text: `loses {{url|{{link`
   * (it had one of the parts and has none, blanks aside), or `loads` (code or a form names a host that it did not name). `leads`: an address that is
   * added to a list has a host that none had, or a text names a host that it did not name. Of a list: `covers` (with what is added, its blocks have
   * one more sixteenth of all addresses).
   */
  readonly change: string;
  /** Other values that the object must have, after the change if it stays: `{ "options.import_mode": "true" }`. `*` stands for any text, and `[false]` for false that is written: `false` is an absent value too. */
  readonly when?: Readonly<Record<string, string>>;
  /** Auth0 refuses to delete the object while one of these refers to it: `auth0_trigger_action.action_id|auth0_action.modules.module_id`. */
  readonly usedBy?: string;
  /** `none`: the change does nothing to people. */
  readonly level: Level | "none";
  readonly code?: FindingCode;
  /** The effect is possible: what must be so, as a clause after "if". A fixed text of the row, which is only printed: nothing reads it. */
  readonly if?: string;
  /** With placeholders: see `placeholders`. */
  readonly text?: string;
  /** The page of Auth0 below https://auth0.com/docs/. */
  readonly see?: string;
  /** Why a person takes the row out. */
  readonly reason?: string;
  /** The row is from a file of the person, which has this name. */
  readonly from?: string;
  /** Nobody has reviewed the row: see `proposed`. `compared`: an effect already says how it differs from the base branch. */
  readonly proposed?: "alone" | "compared";
}

/** A row of one type in a file of the table. */
export type TypeRow = Omit<Row, "type">;

export const rowsOf = (type: string, rows: readonly TypeRow[]): Row[] => rows.map((row) => ({ type, ...row }));

/** Attributes, separated by blanks, whose change does nothing to people, whatever it is. What is below them counts too. */
export const harmless = (type: string, names: string): Row[] =>
  names.split(" ").map((path) => ({ type, path: `${path}.**`, change: "any", level: "none" }));

/** The words that a text may have in braces. Those that are not listed here with an attribute are filled by the engine. */
export const placeholders: Readonly<Record<string, string | undefined>> = {
  /** Of the object. */
  name: undefined,
  /** Elements, or a value that was absent or becomes absent. */
  removed: undefined,
  added: undefined,
  /** The value before and after. Of an object that is replaced: its name. Of an order: the list. */
  was: undefined,
  is: undefined,
  /** `"a" becomes "b"`, `"a" is added`. */
  changes: undefined,
  path: undefined,
  /** The last name of the path, its first name, and its third one. */
  attribute: undefined,
  factor: undefined,
  method: undefined,
  /** The element of a set of blocks whose value changes. */
  element: undefined,
  /** `3 members`, or `all its members`. */
  members: undefined,
  /** The addresses of the objects that use the object. */
  users: undefined,
  client_id: "client_id",
  client: "client_id",
  connection: "connection_id",
  organization: "organization_id",
  role: "role_id",
  user: "user_id",
  action: "action_id",
  grant: "grant_id",
  api: "resource_server_identifier|audience|identifier",
  permission: "permission",
  scope: "scope",
  strategy: "strategy",
  trigger: "trigger|trigger_id",
  domain: "domain",
  template: "template|type",
  screen: "screen_name|prompt|prompt_type|page",
  clients: "enabled_clients",
  connections: "enabled_connections",
  roles: "roles",
  permissions: "permissions",
  scopes: "scopes",
  actions: "actions",
  domains: "discovery_domains",
  aliases: "options.domain_aliases",
};

/** The key of a row: a row of a person with the same key replaces level and text. */
export const keyOf = ({ type, path, change }: Row): string => [type, path ?? "", change].join(" ");

const verbs = ["removed", "added", "emptied", "lower", "higher", "order", "loads", "leads", "covers", "any"];
const objectChanges = ["create", "destroy", "replace"];

/** Why the change cannot be one of a row, in a sentence. */
export function changeProblem(change: string, hasPath: boolean): string | undefined {
  const written = JSON.stringify(change);
  if (!hasPath)
    return objectChanges.includes(change)
      ? undefined
      : `change ${written} needs a path: without a path, change is ${objectChanges.join(", ")}.`;
  const [verb = "", ...rest] = change.split(" ");
  if (verb === "loses" && rest.length === 1 && rest[0] !== "") return undefined;
  if (/^(?:lower|higher) \d+$/.test(change)) return undefined;
  const takesElement = verb === "removed" || verb === "added";
  if (verbs.includes(verb) && (takesElement ? rest.length < 2 : rest.length === 0)) return undefined;
  if (/^[^\s>]+->[^\s>]+$/.test(change)) return undefined;
  return `change ${written} is not known: with a path, change is ${verbs.join(", ")}, loses TEXT, or old->new such as true->false.`;
}
