/** The plan model: what a change does to each object, in the one form that every judgement reads. */

/** Marks on the parts of a value: true for a whole part, or the same shape with marks inside. */
export type Marks = boolean | readonly Marks[] | { readonly [name: string]: Marks } | null | undefined;

export type Values = { readonly [name: string]: unknown };

export interface PlannedObject {
  readonly address: string;
  /** The name of its plan, of several. */
  readonly plan?: string;
  readonly type: string;
  readonly before?: Values;
  readonly after?: Values;
  readonly unknown?: Marks;
  readonly beforeSensitive?: Marks;
  readonly afterSensitive?: Marks;
  readonly actions: readonly string[];
  /** The plan imports it. */
  readonly isImported?: true;
  /** The import id, if the plan shows it. */
  readonly importId?: string;
  /** A -target left it out: the plan says nothing of it, and it stays as it is. */
  readonly leftOut?: true;
  /** It may be another tenant's. */
  readonly unplaced?: true;
  /** It is replaced, and the old object stays on the tenant. */
  readonly leaves?: true;
}

/** Whether the apply changes anything. An action that this version does not know counts as a change. */
export function acts({ actions }: Pick<PlannedObject, "actions">): boolean {
  return actions.length === 0 || actions.some((action) => !["no-op", "read", "forget"].includes(action));
}

/** Splits a replaced object that stays on the tenant in two: the old object, and the one that is created. */
export function apart(object: PlannedObject): PlannedObject[] {
  const { before, beforeSensitive, leaves, ...made } = object;
  if (!leaves || !before) return [object];
  const { after: _after, afterSensitive: _marks, unknown: _unknown, ...rest } = made;
  const both = { before, after: before, beforeSensitive, afterSensitive: beforeSensitive };
  return [
    { ...made, actions: ["create"] },
    { ...rest, ...both, address: `${rest.address} (forgotten)`, actions: ["forget"] },
  ];
}
