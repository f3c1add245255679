/** A network ACL of a plan, in the form that src/access evaluates. */
import { type Acl, notKnown, type Rule, signals } from "../../access/access";
import { hidden } from "../hidden";
import type { Marks, Values } from "../model";
import { block, isMarked, written } from "../value";

export interface PlannedAcl extends Acl {
  /** Left out: the ACL is unmanaged. */
  readonly address?: string;
  /** The name of its plan, if there are several plans. */
  readonly plan?: string;
  readonly id?: string;
  readonly description: string;
  readonly key: string;
  /** The time at which it ends, as written. A symbol: known only after the apply. */
  readonly end?: string | symbol;
  readonly isSecretEnd?: true;
  /** Its end has passed, so it is switched off. */
  readonly isExpired?: true;
  /** It may be another tenant's. */
  readonly unplaced?: true;
  /** The properties of its rule whose values must not be shown, and `redirect_uri`. */
  readonly secret: ReadonlySet<string>;
}

export function aclFrom(values: Values, sensitive?: Marks, address?: string, called = address): PlannedAcl[] {
  const { id, description, expires_at: end } = values;
  const active = activeFrom(values["active"]);
  const rule = ruleFrom(values["rule"]);
  if (!rule) return [];
  const known = typeof id === "string" ? id : undefined;
  const secretDescription = isMarked(sensitive, "description");
  const title =
    typeof description === "string" ? description : typeof description === "symbol" ? "(known after apply)" : "";
  return [
    {
      ...(address !== undefined && { address }),
      ...(known !== undefined && { id: known }),
      description: secretDescription ? hidden : title,
      key: called ?? known ?? title,
      active: active !== false,
      ...((typeof end === "string" || typeof end === "symbol") && { end }),
      ...(isMarked(sensitive, "expires_at") && { isSecretEnd: true as const }),
      ...(values["expired"] === true && { isExpired: true as const }),
      priority: priorityFrom(values["priority"]),
      // An ACL that is perhaps active is one more assumption of its rule.
      rule: typeof active === "symbol" ? ({ ...rule, active } as Rule) : rule,
      secret: secretsOf(sensitive, rule),
    },
  ];
}

/** Reads an unusual spelling such as "false". Any other value is not known. */
function activeFrom(value: unknown): boolean | symbol {
  if (typeof value === "boolean" || typeof value === "symbol") return value;
  if (value === undefined || value === null || value === "true") return true;
  return value === "false" ? false : notKnown(`active ${JSON.stringify(value)}`);
}

/** NaN: not known. */
function priorityFrom(value: unknown): number {
  if (value === undefined || value === null) return 50;
  return typeof value === "number" || (typeof value === "string" && value !== "") ? Number(value) : NaN;
}

function ruleFrom(value: unknown): Rule | undefined {
  const rule = block(value);
  if (typeof rule === "symbol") return { action: rule, match: rule, scope: rule } as unknown as Rule;
  if (!rule) return undefined;
  const [action = {}, match, not_match] = [rule["action"], rule["match"], rule["not_match"]].map(block);
  const side = (name: string, criteria: Values | symbol | undefined) => {
    if (typeof criteria === "symbol") return { [name]: criteria };
    const given = criteria && signalsOf(criteria);
    return given && Object.keys(given).length > 0 ? { [name]: given } : {};
  };
  const { action: _action, match: _match, not_match: _not, scope, ...rest } = rule;
  return {
    ...written(rest),
    action: typeof action === "symbol" ? (action as unknown as Rule["action"]) : written(action),
    ...side("match", match),
    ...side("not_match", not_match),
    scope: scope as string,
  };
}

function signalsOf(criteria: Values): Values {
  const given = written(criteria);
  const signature = block(given["http_message_signature"]);
  return signature ? { ...given, http_message_signature: signature } : given;
}

function secretsOf(sensitive: Marks, rule: Rule): ReadonlySet<string> {
  const named = [rule.match, rule.not_match].flatMap((side) => (typeof side === "object" ? Object.keys(side) : []));
  const found = [...new Set([...signals.flatMap(({ properties }) => properties), ...named])].filter((name) =>
    ["match", "not_match"].some((side) => isMarked(sensitive, "rule", side, name)),
  );
  return new Set([
    ...found,
    ...(isMarked(sensitive, "rule", "action", "redirect_uri") ? ["redirect_uri"] : []),
    ...["description", "priority"].filter((name) => isMarked(sensitive, name)),
    ...Object.keys(rule).filter((name) => !parts.has(name) && isMarked(sensitive, "rule", name)),
  ]);
}

/** The parts of a rule that have properties of their own. */
const parts: ReadonlySet<string> = new Set(["action", "match", "not_match"]);

/** Assumptions quote values of rules, and some of these values must not be shown. */
export function redactionOf(acls: readonly PlannedAcl[]): (words: string) => string {
  const texts = acls.flatMap(secretTexts);
  return (words) => texts.reduce((shown, text) => shown.replaceAll(text, hidden), words);
}

/** The sensitive values of a rule. */
export function secretTexts({ rule, secret }: PlannedAcl): string[] {
  const values = [rule.match, rule.not_match, rule.action, rule].flatMap((part) =>
    typeof part === "object" ? Object.entries(part) : [],
  );
  return values
    .filter(([name]) => secret.has(name))
    .flatMap(([, value]) =>
      typeof value === "string" ? [value] : [(JSON.stringify(value) as string | undefined) ?? ""],
    )
    .filter((text) => text !== "");
}
