/** A short form of a plan: one line for each change, with only the attributes that differ. Pure. */

export interface PlannedChange {
  readonly address: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly before: Values | null;
    readonly after: Values | null;
    readonly after_unknown: Values;
  };
}

type Values = Readonly<Record<string, unknown>>;

export interface Line {
  readonly sign: "+" | "~" | "-" | "-/+";
  readonly text: string;
}

const signs: Readonly<Record<string, Line["sign"]>> = {
  create: "+",
  update: "~",
  delete: "-",
  "delete,create": "-/+",
  "create,delete": "-/+",
};

export function planLines(changes: readonly PlannedChange[]): Line[] {
  return changes.flatMap(({ address, change: { actions, before, after, after_unknown: unknown } }) => {
    const sign = signs[actions.join()];
    if (!sign) return [];
    const known = before && after ? differences(before, after, unknown) : [describe(after ?? before ?? {})];
    return [{ sign, text: [address, ...known.filter((part) => part !== "")].join("  ") }];
  });
}

/** A name for the object. */
function describe({
  description,
  consumer_selector: selector,
  organization_id: organization,
  members,
}: Values): string {
  if (description !== undefined) return JSON.stringify(description);
  if (selector !== undefined) return String(selector);
  return organization === undefined ? "" : `${organization as string}: ${(members as string[]).join(", ")}`;
}

/** `rule.action: {"log":true} -> {"block":true}` */
function differences(before: Values, after: Values, unknown: Values, path = ""): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => unknown[name] !== true);
  return names.flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    const at = path + name;
    if (Array.isArray(was) && Array.isArray(is)) {
      const [gone, come] = [was.filter((one) => !is.includes(one)), is.filter((one) => !was.includes(one))];
      return [[`${at}:`, ...come.map((one) => `+${textOf(one)}`), ...gone.map((one) => `-${textOf(one)}`)].join(" ")];
    }
    if (isObject(was) && isObject(is) && sameNames(was, is)) {
      const within = unknown[name];
      return differences(was, is, isObject(within) ? within : {}, `${at}.`);
    }
    return [`${at}: ${textOf(was)} -> ${textOf(is)}`];
  });
}

const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether the change is clearer attribute by attribute than as a whole. */
function sameNames(was: Values, is: Values): boolean {
  const set = (values: Values) => Object.keys(values).filter((name) => values[name] !== null && values[name] !== false);
  return set(was).join() === set(is).join() || set(was).length > 1 || set(is).length > 1;
}

function textOf(value: unknown): string {
  if (!isObject(value)) return typeof value === "string" ? value : JSON.stringify(value);
  return JSON.stringify(Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null)));
}
