/** The plan model: every judgement reads a change in this form. */

/** Marks on the parts of a value: true for a whole part, or the same shape with marks inside. */
export type Marks = boolean | readonly Marks[] | { readonly [name: string]: Marks } | null | undefined;

export type Values = { readonly [name: string]: unknown };

/** One object of a plan. A value that is not known yet is a symbol inside `after`. */
export interface PlannedObject {
  readonly address: string;
  /** The name of its plan, if there are several plans. */
  readonly plan?: string;
  readonly type: string;
  readonly before?: Values;
  readonly after?: Values;
  /** The older values that Terraform gives to the delete, if they differ from `before`. */
  readonly valuesOfDelete?: Values;
  readonly beforeSensitive?: Marks;
  readonly afterSensitive?: Marks;
  readonly actions: readonly string[];
  /** Its address in the state, if the plan moves it. */
  readonly previousAddress?: string;
  /** An earlier apply replaced it and could not destroy it. */
  readonly isDeposed?: true;
  /** The plan imports it. */
  readonly isImported?: true;
  /** The id that the plan imports, if the plan shows the id. */
  readonly importId?: string;
  /** The plan left it out because of -target, so it stays as it is. */
  readonly notTargeted?: true;
  /** Why Terraform leaves the change to a later plan: `provider config unknown`. */
  readonly deferred?: string;
  /** It may belong to another tenant. */
  readonly tenantUnknown?: true;
  /** It is replaced, and the old object stays on the tenant. */
  readonly keepsOld?: true;
  /** It is replaced, and whether Terraform creates the new object first is not known. */
  readonly anyOrder?: true;
}

/** Remote state: managed and unmanaged objects. A list is left out if it was not read. */
export interface Remote {
  readonly network_acls?: readonly Values[];
  readonly rate_limit_policies?: readonly Values[];
  readonly network_acl_keys?: readonly Values[];
  /** Organization -> user ids of its members. Undefined: the tenant has no such organization. */
  readonly organization_members?: ReadonlyMap<string, readonly string[] | undefined>;
  /** User id -> what the tenant shows about the person. */
  readonly people?: ReadonlyMap<string, { readonly name?: string; readonly email?: string }>;
  /** Organization -> its display name. */
  readonly organization_names?: ReadonlyMap<string, string>;
}

/** The name of every symbol that stands for an unknown value of the object. */
export function unknownName({ address, plan }: Pick<PlannedObject, "address" | "plan">): string {
  return `the unknown part of ${address}${plan === undefined ? "" : ` in ${plan}`}`;
}

/** Whether the apply changes anything. An action that this version does not know counts as a change. */
export function acts({ actions }: Pick<PlannedObject, "actions">): boolean {
  return actions.length === 0 || actions.some((action) => !["no-op", "read", "forget"].includes(action));
}

export const isReplaced = ({ actions }: Pick<PlannedObject, "actions">): boolean =>
  actions.includes("create") && actions.includes("delete");

/** Splits a replaced object that stays on the tenant in two: the old object, and the one that is created. */
export function splitKept(object: PlannedObject): PlannedObject[] {
  const { before, beforeSensitive, keepsOld, ...made } = object;
  if (!keepsOld || !before) return [object];
  const { after: _after, afterSensitive: _marks, ...rest } = made;
  const both = { before, after: before, beforeSensitive, afterSensitive: beforeSensitive };
  return [
    { ...made, actions: ["create"] },
    { ...rest, ...both, address: `${rest.address} (forgotten)`, actions: ["forget"] },
  ];
}

/** The address of an object that is left over from a replacement. */
export const deposedAt = (address: string, key: string | undefined): string =>
  key === undefined ? address : `${address} (deposed ${key})`;

export const withoutDeposed = (address: string): string => address.replace(/ \(deposed \w+\)$/, "");

/** The address without the keys of its instances: `[*]` if they are not known. */
export const bare = (address: string) => address.replace(/\[(?:\d+|\*|"(?:[^"\\]|\\.)*")\]/g, "");

/** While it is made. */
export type Writable<T> = { -readonly [Name in keyof T]: T[Name] };
