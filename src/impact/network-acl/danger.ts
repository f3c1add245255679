/** Tells whether the change of one network ACL may open or close more than it seems to. */
import { createComparison, difference, flagOf, type Acl } from "../../access/access";
import { entryChanges } from "./entries";

const stops: ReadonlySet<unknown> = new Set(["block", "redirect"]);

/** An ACL that blocks becomes one that does not, or the other way round; a block gets narrower; or requests become allowed. */
export function isDangerous(before: Acl, after: Acl): boolean {
  if (!before.active && !after.active) return false;
  const [old, now] = [before, after].map(({ rule }) => flagOf(rule.action) ?? "block");
  if (stops.has(old) !== stops.has(now)) return true;
  return (stops.has(now) && narrows(before, after)) || allows(before, after);
}

function narrows(before: Acl, after: Acl): boolean {
  const isRemoved = entryChanges(before.rule, after.rule).some((change) => change.after === undefined);
  const hasOtherScope = before.rule.scope !== after.rule.scope || before.rule.match_all !== after.rule.match_all;
  return isRemoved || hasOtherScope || !after.active;
}

/** Evaluated after the ACL in question, which alone decides what passes. */
const wall: Acl = {
  active: true,
  priority: 101,
  key: "wall",
  rule: { action: { block: true }, match_all: true, scope: "tenant" },
};

/** Whether requests become allowed if the ACL is the only one, or the only one before an ACL that blocks everything. */
function allows(before: Acl, after: Acl): boolean {
  if (before.active === after.active && JSON.stringify(before.rule) === JSON.stringify(after.rule)) return false;
  return [[], [wall]].some((others) => {
    const comparison = createComparison([alone(before), ...others], [alone(after), ...others]);
    return difference(comparison, { perPair: 500, inAll: 5_000 }).changes.some(
      (change) => change.after.outcome === "allowed" && change.certainty !== "not decided",
    );
  });
}

const alone = (acl: Acl): Acl => ({ ...acl, priority: 1, key: "acl" });
