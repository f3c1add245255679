/** Names of the objects to which a change refers. Plans refer by ID; people know names. */
import { isRecord } from "../../../formats/text/record";
import { quoted } from "../../access/access";
import { withoutTokenParts } from "../../../formats/text/masked";
import { clipped, hidden } from "../../../formats/text/lists";
import { below, isSensitive, masked, type Place, placeIn, type PlannedObject } from "../model";
import { idNames, listOf, valueAt, type Written } from "./changes";
import { isUnknown } from "../../../formats/cty/value";

/** What the plans show about objects beside their own change. */
export interface Known {
  /** The name of the object with this ID, if a plan shows it. */
  readonly nameOf: (type: string, id: string) => string | undefined;
  /** Whether the configuration sets the attribute. undefined: it is not known, because plans leave out dynamic blocks. */
  readonly isConfigured: (object: PlannedObject, path: string) => boolean | undefined;
  /** What the configuration shows about a list of ids at the path, or the ids of a list of blocks. */
  readonly writtenAt: (object: PlannedObject, path: string) => Written | undefined;
  /** The name of the object to which the configuration of the attribute refers. */
  readonly referenceOf: (object: PlannedObject, attribute: string) => string | undefined;
  /** The client IDs with which Terraform authenticates, as far as the plans show them. */
  readonly ownClients: ReadonlySet<string>;
  /** The number of members of an organization, if the tenant or a plan shows it. */
  readonly membersOf: (organization: string) => number | undefined;
}

/** The type of the object to which an attribute refers, by the last name of its path, and the attribute that the plan refers by. */
export const references: ReadonlyMap<string, readonly [type: string, by: string]> = new Map(
  Object.entries({
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
  }),
);

const mostOfValue = 160;

/** Foreign text in quotation marks, so that it cannot be read as ours. Ask `masked` first. */
const shown = (value: unknown): string => {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (isUnknown(value)) return "(known after apply)";
  if (value === undefined || value === null || value === "") return "no value";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return quoted(clipped(withoutTokenParts(text), mostOfValue));
};

/** The value of an attribute of the object, on one side. */
export const attributeOf = (object: PlannedObject, side: "before" | "after", name: string): string =>
  masked(valueAt(object[side], name), placeIn(object, name), shown);

/** An element of the set at the place, or a value there: `"Shop" (abc)`, `"read:orders" of "https://api"`. */
export function elementWords(value: unknown, place: Place, known: Known): string {
  if (!isRecord(value)) return masked(value, place, (one) => referenceWords(one, place, known));
  const [name, label, api, other] = [
    ["name"],
    ["display_name"],
    ["resource_server_identifier"],
    ["domain", "audience", "screen_name"],
  ].map((names) => names.find((one) => typeof value[one] === "string" && value[one] !== ""));
  const own = (attribute: string) => masked(value[attribute], below(place, attribute), shown);
  if (name !== undefined) return api === undefined ? own(name) : `${own(name)} of ${own(api)}`;
  if (label !== undefined) return own(label);
  if (other !== undefined) return own(other);
  const by = idNames.find((one) => typeof value[one] === "string");
  return by === undefined
    ? "an element"
    : masked(value[by], below(place, by), (id) => referenceWords(id, place, known));
}

function referenceWords(value: unknown, { names }: Place, known: Known): string {
  const [type] = references.get(names.at(-1) ?? "") ?? [];
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
export function nameIn(object: PlannedObject, side: "before" | "after"): string | undefined {
  const values = object[side];
  // The key of a rule's setting is its name, and no secret. Whether a secret name is blank is secret too.
  const isSecret = (name: string) => isSensitive(placeIn(object, name));
  const attribute = nameAttributes.find(
    (name) => typeof values?.[name] === "string" && (values[name] !== "" || isSecret(name)),
  );
  if (attribute === undefined) return undefined;
  return isSecret(attribute) ? hidden : shown(values![attribute]);
}

/** The words for an attribute that refers to an object, or for all elements of a set. */
export function attributeWords(attribute: string, object: PlannedObject, known: Known): readonly string[] {
  for (const name of attribute.split("|")) {
    for (const side of ["before", "after"] as const) {
      const value = valueAt(object[side], name);
      const place = placeIn(object, ...name.split("."));
      if (value !== undefined && value !== null && isSensitive(place)) return [hidden];
      if (value === undefined || value === null || value === "") continue;
      if (isUnknown(value)) {
        const reference = known.referenceOf(object, name);
        return [reference === undefined ? "(known after apply)" : shown(reference)];
      }
      const words = listOf(value).map((one) => elementWords(one, place, known));
      return words.length === 0 ? ["nothing"] : words;
    }
  }
  return ["(not known)"];
}
