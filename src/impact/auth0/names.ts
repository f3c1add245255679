/** Names of the objects to which a change refers. Plans refer by ID; people know names. */
import { quoted } from "../../access/access";
import { clipped, hidden } from "../phrases";
import type { PlannedObject, Values } from "../model";
import { isMarked } from "../value";
import { isObject, lastName, listOf, valueAt } from "./changes";

/** What the plans show about objects beside their own change. */
export interface Known {
  /** The name of the object with this ID, if a plan shows it. */
  readonly nameOf: (type: string, id: string) => string | undefined;
  /** Whether the configuration sets the attribute. undefined: it is not known. */
  readonly isConfigured: (object: PlannedObject, path: string) => boolean | undefined;
  /** The name of the object to which the configuration of the attribute refers. */
  readonly referenceOf: (object: PlannedObject, attribute: string) => string | undefined;
  /** The number of members of an organization, if the tenant or a plan shows it. */
  readonly membersOf: (organization: string) => number | undefined;
}

/** The type of the object to which an attribute refers, by the last name of its path, and the attribute that the plan refers by. */
export const references: Readonly<Record<string, readonly [type: string, by: string]>> = {
  client_id: ["auth0_client", "id"],
  enabled_clients: ["auth0_client", "id"],
  connection_id: ["auth0_connection", "id"],
  enabled_connections: ["auth0_connection", "id"],
  organization_id: ["auth0_organization", "id"],
  role_id: ["auth0_role", "id"],
  roles: ["auth0_role", "id"],
  user_id: ["auth0_user", "id"],
  action_id: ["auth0_action", "id"],
  actions: ["auth0_action", "id"],
  grant_id: ["auth0_client_grant", "id"],
  resource_server_identifier: ["auth0_resource_server", "identifier"],
  permissions: ["auth0_resource_server", "identifier"],
  audience: ["auth0_resource_server", "identifier"],
  scopes: ["auth0_resource_server", "identifier"],
};

/** What refers to another object in an element of a set. */
export function idIn(element: unknown): string | undefined {
  const { connection_id, id, role_id, resource_server_identifier: api } = isObject(element) ? element : {};
  const found = isObject(element) ? (connection_id ?? id ?? role_id ?? api) : element;
  return typeof found === "string" ? found : undefined;
}

const mostOfValue = 160;

/** Foreign text in quotation marks, so that it cannot be read as ours. */
export const shown = (value: unknown): string => {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "symbol") return "(known after apply)";
  if (value === undefined || value === null || value === "") return "no value";
  return quoted(clipped(typeof value === "string" ? value : JSON.stringify(value), mostOfValue));
};

/** An element of the set at the path, or a value there: `"Shop" (abc)`, `"read:orders" of "https://api"`. */
export function elementWords(value: unknown, path: string, known: Known): string {
  const name = lastName(path);
  const [type] = references[name] ?? [];
  if (isObject(value)) {
    const { name: own, display_name: label, domain, resource_server_identifier: api, audience } = value;
    if (typeof own === "string" && own !== "")
      return typeof api === "string" ? `${shown(own)} of ${shown(api)}` : shown(own);
    if (typeof label === "string" && label !== "") return shown(label);
    const id = idIn(value);
    return id === undefined ? shown(domain ?? audience ?? "an element") : referred(type, id, known);
  }
  return typeof value === "string" ? referred(type, value, known) : shown(value);
}

function referred(type: string | undefined, id: string, known: Known): string {
  const name = type === undefined ? undefined : known.nameOf(type, id);
  return name === undefined || name === id
    ? shown(id)
    : `${shown(name)} (${clipped(quoted(id).slice(1, -1), mostOfValue)})`;
}

/** The attributes that name an object, the best first. */
const nameAttributes = [
  "name",
  "display_name",
  "email",
  "domain",
  "identifier",
  "template",
  "trigger",
  "key",
  "user_id",
  "id",
];

/** The name of the object on one side. */
export function nameIn(values: Values | undefined, marks: PlannedObject["beforeSensitive"]): string | undefined {
  const attribute = nameAttributes.find((name) => typeof values?.[name] === "string" && values[name] !== "");
  if (attribute === undefined) return undefined;
  return isMarked(marks, attribute) ? hidden : shown(values![attribute]);
}

/** The words for an attribute that refers to an object, or for all elements of a set. */
export function attributeWords(attribute: string, object: PlannedObject, known: Known): readonly string[] {
  for (const name of attribute.split("|")) {
    for (const [values, marks] of [
      [object.before, object.beforeSensitive],
      [object.after, object.afterSensitive],
    ] as const) {
      const value = valueAt(values, name);
      if (value === undefined || value === null || value === "") continue;
      if (typeof value === "symbol") {
        const reference = known.referenceOf(object, name);
        return [reference === undefined ? "(known after apply)" : shown(reference)];
      }
      if (isMarked(marks, name)) return [hidden];
      return listOf(value).map((one) => elementWords(one, name, known));
    }
  }
  return ["(not known)"];
}
