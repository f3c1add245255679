/** Tells which requests are newly logged, or no longer logged. Logging changes the outcome of no request. */
import { andWords } from "../list-words";
import type { LoggingChange } from "../../access/access";
import { clipped } from "../clipped";
import { effect, type Effect } from "../effect";
import type { PlannedAcl } from "./acl";
import type { AclAnalysis } from "./analysis";
import { causeOf } from "./causes";
import { shownWitness } from "./witness";

export function logEffects(analysis: AclAnalysis): Effect[] {
  const { unrecorded, recorded } = analysis;
  const gained = (certainty: Effect["certainty"]) => recorded.filter((change) => change.certainty === certainty);
  return [
    ...loggingEffect(unrecorded, analysis, "lost"),
    ...loggingEffect(gained("certain"), analysis, "gained"),
    ...loggingEffect(gained("possible"), analysis, "perhaps gained"),
  ];
}

const texts = {
  lost: (by: string) => `Requests that ${by} logged are no longer logged.`,
  gained: (by: string) => `Requests that match ${by} are newly logged. Logging changes no outcome.`,
  "perhaps gained": (by: string) => `Requests that match ${by} may be newly logged. Logging changes no outcome.`,
};

function loggingEffect(
  changes: readonly LoggingChange<PlannedAcl>[],
  { changed, secrets }: AclAnalysis,
  direction: keyof typeof texts,
): Effect[] {
  if (changes.length === 0) return [];
  const names = changes.map(({ acl }) =>
    acl.description === "" ? (acl.address ?? acl.key) : `"${clipped(acl.description)}"`,
  );
  const by = andWords([...names.slice(0, 2), ...(names.length > 2 ? [`${names.length - 2} more`] : [])]);
  return [
    effect(direction === "lost" ? "TNF-ACL-UNRECORDED" : "TNF-ACL-RECORDED", texts[direction](by), {
      who: `requests that match ${by}`,
      cause: changes.flatMap(({ acl }) => {
        const pair = changed.get(acl.key);
        return pair ? causeOf(pair) : [];
      }),
      certainty: direction === "perhaps gained" ? "possible" : "certain",
      examples: changes.slice(0, 3).map(({ witness }) => shownWitness(witness, secrets)),
    }),
  ];
}
