/** Tells which requests are newly logged, or no longer logged. Logging changes the outcome of no request. */
import type { LoggingChange } from "../../access/access";
import type { Effect } from "../verdict/effect";
import type { PlannedAcl } from "./acl";
import type { AclAnalysis } from "./analysis";
import { causeOf } from "./causes";
import { shownWitness } from "./witness";

export function logEffects(analysis: AclAnalysis): Effect[] {
  const { unrecorded, recorded } = analysis;
  return [...loggingEffect(unrecorded, analysis, "lost"), ...loggingEffect(recorded, analysis, "gained")];
}

function loggingEffect(
  changes: readonly LoggingChange<PlannedAcl>[],
  { changed, secrets }: AclAnalysis,
  direction: "lost" | "gained",
): Effect[] {
  if (changes.length === 0) return [];
  const names = changes.map(({ acl }) => (acl.description === "" ? (acl.address ?? acl.key) : `"${acl.description}"`));
  const by = new Intl.ListFormat("en-GB").format([
    ...names.slice(0, 2),
    ...(names.length > 2 ? [`${names.length - 2} more`] : []),
  ]);
  const text =
    direction === "lost"
      ? `Requests that ${by} logged are no longer logged.`
      : `Requests that match ${by} are newly logged. Their outcome stays the same.`;
  return [
    {
      kind: "logs",
      level: direction === "lost" ? "medium" : "info",
      apis: [],
      share: null,
      who: `requests that match ${by}`,
      text,
      cause: changes.flatMap(({ acl }) => {
        const pair = changed.get(acl.key);
        return pair ? causeOf(pair) : [];
      }),
      certainty: "certain",
      assumptions: [],
      examples: changes.slice(0, 3).map(({ witness }) => shownWitness(witness, secrets)),
    },
  ];
}
