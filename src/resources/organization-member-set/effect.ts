/** Words the effect of a change of one member set. Its review announces the removed members. */
import type { Config, State } from "../../sdk/definition";
import { amountWords } from "../../impact/amount";
import type { Effect } from "../effects";
import type { organizationMemberSet } from "./definition";
import { membersOf, without } from "./wire";

type Definition = typeof organizationMemberSet;

const settings = ["exclusive", "adopt_existing", "max_removals", "allow_empty", "on_destroy"] as const;
const noun = ["member", "members"] as const;

export function effectOf(prior: State<Definition>, planned: Config<Definition>): Effect {
  const [before, after] = [membersOf(prior), membersOf(planned)];
  const changed = [
    ...amountWords(without(after, before).length, noun, "more"),
    ...amountWords(without(before, after).length, noun, "fewer"),
  ];
  const set = settings.filter((name) => prior[name] !== planned[name]);
  return {
    title: `The member set of ${prior.organization_id}`,
    words: [
      changed.length > 0 ? `lists ${changed.join(" and ")}` : "lists the same members",
      ...set.map((name) => `${name} ${String(planned[name] ?? "unset")} in place of ${String(prior[name] ?? "unset")}`),
    ].join(", "),
    dangerous: false,
  };
}
