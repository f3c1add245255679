/**
 * What a resource manages of something else: a setting that a tenant has once, a list of its owner, or one entry of such a list. Two resources
 * that manage the same are duplicates, and one that creates what another one destroys makes it again:
 *
 *     auth0_connection_client.a   con_1: app_1         ┐ entries of one list: the applications of con_1
 *     auth0_connection_clients.b  con_1: app_1, app_2  ┘
 */
import { isRecord } from "../../../formats/text/record";
import { quoted } from "../../access/access";
import { grouped, isSensitive, placeIn, type PlannedObject, sharing, type Values } from "../model";
import type { Duplicates } from "../objects/duplicates";
import { listOf, own } from "./changes";
import { isUnknown } from "../../../formats/cty/value";

/** What a resource manages. `owner` tells several apart; the value after `=` is that of an absent one. */
interface Form {
  readonly things: string;
  readonly owner: readonly string[];
  /** Of one entry, or of the entries of the list. Left out: all. */
  readonly entry?: readonly string[];
  readonly list?: string;
}

/** The type of one entry (that of the list has an "s"), its owner, and what tells entries apart in both. */
const lists: readonly (readonly [things: string, type: string, owner: string, entry: string, list: string])[] = [
  ["applications of the connection", "connection_client", "connection_id", "client_id", "enabled_clients"],
  [
    "connections of the organization",
    "organization_connection",
    "organization_id",
    "connection_id",
    "enabled_connections.connection_id",
  ],
  ["applications of the organization", "organization_client", "organization_id", "client_id", "clients.client_id"],
  [
    "discovery domains of the organization",
    "organization_discovery_domain",
    "organization_id",
    "domain",
    "discovery_domains.domain",
  ],
  ["roles of the member", "organization_member_role", "organization_id+user_id", "role_id", "roles"],
  [
    "permissions of the role",
    "role_permission",
    "role_id",
    "resource_server_identifier+permission",
    "permissions.resource_server_identifier+name",
  ],
  [
    "permissions of the user",
    "user_permission",
    "user_id",
    "resource_server_identifier+permission",
    "permissions.resource_server_identifier+name",
  ],
  ["roles of the user", "user_role", "user_id", "role_id", "roles"],
  ["scopes of the API", "resource_server_scope", "resource_server_identifier", "scope", "scopes.name"],
  ["actions of the trigger", "trigger_action", "trigger", "action_id", "actions.id"],
  ["partials of the prompt", "prompt_screen_partial", "prompt_type", "screen_name", "screen_partials.screen_name"],
];

/** Settings that exist before somebody creates a resource for them, and what tells several apart. */
const settings =
  "attack_protection branding branding_phone_notification_template:type branding_theme email_provider email_template:template " +
  "encryption_key_manager guardian pages phone_notification_template:type phone_provider prompt prompt_custom_text:prompt+language " +
  "prompt_partials:prompt prompt_screen_renderer:prompt_type+screen_name risk_assessments risk_assessments_new_device " +
  "self_service_profile_custom_text:sso_id+language+page supplemental_signals tenant";

/** Objects that are nothing but what their attributes say. */
const wholes =
  "client_credentials:client_id client_grant:client_id+audience+subject_type=client+default_for custom_domain_default " +
  "organization_client_grant:organization_id+grant_id rule_config:key";

const formIn = (text: string): [string, Form] => {
  const [type = "", owner = ""] = text.split(":");
  return [`auth0_${type}`, { things: `auth0_${type}`, owner: owner === "" ? [] : owner.split("+") }];
};

const forms: ReadonlyMap<string, Form> = new Map([
  ...`${settings} ${wholes}`.split(" ").map(formIn),
  ...lists.flatMap(([things, type, owners, entry, within]): [string, Form][] => {
    const owner = owners.split("+");
    const [list = "", keys] = within.split(".");
    return [
      [`auth0_${type}`, { things, owner, entry: entry.split("+") }],
      [`auth0_${type}s`, { things, owner, list, ...(keys !== undefined && { entry: keys.split("+") }) }],
    ];
  }),
]);

const existing = new Set([
  ...settings.split(" ").map((one) => formIn(one)[0]),
  "auth0_prompt_screen_partial",
  "auth0_prompt_screen_partials",
]);

/** Whether its id is that of its owner: the id of the applications of a connection is that of the connection. */
export const hasIdOfOwner = ({ type, before }: PlannedObject): boolean =>
  forms.get(type)?.owner.some((name) => before?.["id"] === before?.[name.split("=")[0]!]) ?? false;

/** Whether `create` of the type changes settings that exist. */
export const isSetting = (type: string): boolean => existing.has(type);

export interface Managed {
  /** `actions of the trigger "post-login"` */
  readonly of: string;
  /** What has no entries has one of its own. */
  readonly entries: ReadonlySet<string>;
  readonly isWhole: boolean;
}

/**
 * undefined: the type manages nothing of something else, or the plan does not show of what. `isSwitched`: an entry that is switched off is another
 * one than that which is on.
 */
export function managedOf(object: PlannedObject, values: Values | undefined, isSwitched = false): Managed | undefined {
  const form = forms.get(object.type);
  if (!form || !values) return undefined;
  const { things, owner, entry, list } = form;
  const names = [...owner, ...(list === undefined ? (entry ?? []) : [list])].map((name) => name.split("=")[0]!);
  const owners = owner.map((name) => textAt(values, name));
  if (names.some((name) => isSensitive(placeIn(object, name))) || owners.includes(undefined)) return undefined;
  const all = list === undefined ? [values] : listOf(values[list]);
  const isHidden = isSensitive(placeIn(object, ...(list === undefined ? [] : [list]), "is_enabled"));
  const state = (one: Values) => (isSwitched && !isHidden && entry && own(one, "is_enabled") === false ? ["off"] : []);
  const keys = all.map((one) =>
    isRecord(one) ? [...(entry ?? []).map((name) => textAt(one, name)), ...state(one)] : [textOf(one)],
  );
  const known = keys.filter((key) => !key.includes(undefined));
  if (list === undefined && known.length === 0) return undefined;
  const called = owners.flatMap((one) => (one === "" ? [] : quoted(one!)));
  return {
    of: [things, ...called].join(" "),
    entries: new Set(known.map((key) => JSON.stringify(key))),
    isWhole: list !== undefined || entry === undefined,
  };
}

/** `subject_type=client`: the text of an absent value follows. undefined: the plan does not show it. */
function textAt(values: Values, name: string): string | undefined {
  const [attribute = "", otherwise = ""] = name.split("=");
  const text = textOf(own(values, attribute));
  return text === "" ? otherwise : text;
}

const textOf = (value: unknown): string | undefined =>
  isUnknown(value) || isRecord(value) ? undefined : String(value ?? "");

/** The entries of a list by their keys, or the one entry. */
export function entriesOf(object: PlannedObject, values: Values | undefined): (readonly [key: string, one: unknown])[] {
  const { list } = forms.get(object.type) ?? {};
  const all = list === undefined ? [values] : listOf(values?.[list]);
  return all.flatMap((one) => {
    const managed = managedOf(object, list === undefined ? values : { ...values, [list]: [one] }, true);
    return [...(managed?.entries ?? [])].map((key) => [key, one] as const);
  });
}

/** The values before the change, each entry `as` it becomes. Without those that become undefined. undefined: none is another one. */
export function withEntries(object: PlannedObject, as: (key: string, one: unknown) => unknown): Values | undefined {
  const { list } = forms.get(object.type) ?? {};
  const all = entriesOf(object, object.before);
  const made = all.map(([key, one]) => as(key, one));
  if (made.every((one, index) => one === all[index]![1])) return undefined;
  return list === undefined
    ? (made[0] as Values | undefined)
    : { ...object.before, [list]: made.filter((one) => one !== undefined) };
}

interface Manager {
  readonly object: PlannedObject;
  readonly of: string;
  /** Left out: it manages the whole. */
  readonly entry?: string;
  readonly sides: readonly ("before" | "after")[];
}

/** What several resources manage: two lists or settings, a list and an entry of its owner, or one entry twice. */
export function sharedIn(all: readonly PlannedObject[]): Duplicates {
  const managers = all.filter(
    ({ actions, isDeposed, deferred, tenantUnknown }) =>
      !actions.includes("forget") && !isDeposed && deferred === undefined && !tenantUnknown,
  );
  // Most objects manage nothing but themselves, and no other one has their id.
  const [seen, twice] = [new Set<unknown>(), new Set<unknown>()];
  for (const { before } of managers) (seen.has(before?.["id"]) ? twice : seen).add(before?.["id"]);
  const several = managers.filter(({ type, before }) => forms.has(type) || twice.has(before?.["id"]));
  return new Map(
    [...grouped(several.flatMap(managing), ({ of }) => of)].flatMap(([of, group]): [string, PlannedObject[]][] => {
      if (group.length < 2) return [];
      const groups = group.some(({ entry }) => entry === undefined) ? [group] : sharing(group, ({ entry }) => entry);
      const found = groups.find((one) => conflicts(one, "after") || (conflicts(one, "before") && stays(one)));
      return found ? [[of, [...new Set(found.map(({ object }) => object))]]] : [];
    }),
  );
}

const stays = (group: readonly Manager[]) => group.some(({ sides }) => sides.includes("after"));

function conflicts(group: readonly Manager[], side: "before" | "after"): boolean {
  const present = group.filter(({ sides }) => sides.includes(side));
  const isEntry = group.every(({ entry }) => entry !== undefined);
  return present.length > 1 && (isEntry || present.some(({ entry }) => entry === undefined));
}

function managing(object: PlannedObject): Manager[] {
  const sides = (["before", "after"] as const).flatMap((side) => {
    const managed = managedOf(object, object[side]);
    const [entry] = managed && !managed.isWhole ? managed.entries : [];
    const of = managed?.of ?? typeAndId(object);
    return of === undefined || !object[side] ? [] : { of, side, ...(entry !== undefined && { entry }) };
  });
  return [...grouped(sides, ({ of, entry }) => JSON.stringify([of, entry])).values()].map((group) => ({
    object,
    of: group[0]!.of,
    ...(group[0]!.entry !== undefined && { entry: group[0]!.entry }),
    sides: group.map(({ side }) => side),
  }));
}

/** The type and the id of any other object. An attribute that is sensitive may have the same value as the id. */
function typeAndId(object: PlannedObject): string | undefined {
  const { type, before = {} } = object;
  const { id } = before;
  const isSecret = Object.entries(before).some(([name, value]) => value === id && isSensitive(placeIn(object, name)));
  return typeof id === "string" && id !== "" && !forms.has(type) && !isSecret ? `${type} ${quoted(id)}` : undefined;
}
