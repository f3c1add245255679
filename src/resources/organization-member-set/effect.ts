/** Words the effect of a change of one member set. Its review announces the removed members. */
import type { PlannedObject, Remote } from "../../impact/model";
import { isKnown, type Change, type Config, type State } from "../../sdk/definition";
import { amountWords } from "../../impact/amount";
import { actionWords, type ChangeNote } from "../change-note";
import { endingIfReplaced } from "../planned-object";
import { organizationMemberSet } from "./definition";
import { membersOf, without } from "./wire";

type Definition = typeof organizationMemberSet;

const settings = ["exclusive", "remove_existing", "max_removals", "allow_empty", "on_destroy"] as const;
const noun = ["member", "members"] as const;

/** `object`: the change as the review judges it. */
export function noteOf(
  { action, prior, planned }: Change<Definition>,
  object: PlannedObject,
  members?: Remote["organization_members"],
): ChangeNote {
  const isUpdate = action === "update" && isKnown(organizationMemberSet, planned);
  return {
    title: `The member set of ${String((prior ?? planned)!.organization_id)}`,
    words: isUpdate ? wordsOf(prior, planned) : actionWords[action],
    dangerous: false,
    // The loss of members has a warning of its own.
    mayBeGrave: false,
    explains: isUpdate,
    object: endingIfReplaced(object),
    ...(members && { members }),
  };
}

function wordsOf(prior: State<Definition>, planned: Config<Definition>): string {
  const [before, after] = [membersOf(prior), membersOf(planned)];
  const changed = [
    ...amountWords(without(after, before).length, noun, "more"),
    ...amountWords(without(before, after).length, noun, "fewer"),
  ];
  const set = settings.filter((name) => prior[name] !== planned[name]);
  const [old, now] = [prior.expires_at ?? {}, planned.expires_at ?? {}];
  const ends = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((id) => old[id] !== now[id]);
  return [
    changed.length > 0 ? `lists ${changed.join(" and ")}` : "lists the same members",
    ...amountWords(ends.length, ["member with another end", "members with another end"]),
    ...set.map((name) => `${name} ${String(planned[name] ?? "unset")} in place of ${String(prior[name] ?? "unset")}`),
  ].join(", ");
}
