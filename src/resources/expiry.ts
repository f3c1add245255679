/** Announces the ends of objects and members, and refuses new ends that have passed. */
import { attributePath, type Path } from "../cty/path";
import { consequenceOf, type End, endsIn, endWords } from "../impact/expiry";
import { kindOf } from "../kinds/kinds";
import type { PlannedObject } from "../impact/model";
import type { ReviewContext } from "../sdk/resource";
import type { Client } from "./client";

type Review = Pick<ReviewContext<Client>, "client" | "plan" | "report">;

const topic = "ends";

/** `now`: only a change that writes an end is compared with it. A refresh has decided about the other ends. */
export async function reviewEnds(object: PlannedObject, context: Review): Promise<void> {
  const { client, plan, report } = context;
  if (!client) return;
  const now = client.now();
  const ends = endsIn([object], now);
  const refused = ends.filter(({ isNew, status }) => isNew && status === "still active");
  for (const end of refused) report(refusalOf(end, now));
  if (refused.length > 0 || plan.phase !== "plan") return;
  const isShown = ({ status }: End) =>
    status === "expires" || status === "still active" || (status === "soon" && client.planWarnings !== "off");
  const shown = ends.filter(isShown);
  const found = await plan.gathered(topic, () => (shown.length > 0 ? shown : undefined));
  const all = found.flat().toSorted((one, other) => one.instant - other.instant);
  announce(
    "expired",
    all.filter(({ status }) => status !== "soon"),
    now,
    context,
  );
  announce(
    "soon",
    all.filter(({ status }) => status === "soon"),
    now,
    context,
  );
}

function refusalOf(end: End, now: number): Parameters<Review["report"]>[0] {
  const { object, member } = end;
  const { attribute } = kindOf(object.type)!.expiry!;
  const path: Path = [...attributePath(attribute), ...(member === undefined ? [] : [{ key: member }])];
  const name = member === undefined ? attribute : `${attribute}[${JSON.stringify(member)}]`;
  const remedy = member === undefined ? "remove the network ACL" : "remove the member";
  return {
    severity: "error",
    code: "TNF-END-PASSED",
    detail:
      `\`${name}\` is ${JSON.stringify(end.end)}, but it is ${new Date(now).toISOString()} now: give a later time, or ${remedy}. ` +
      "Nothing was changed.",
    path,
  };
}

const most = 50;

function announce(kind: "expired" | "soon", ends: readonly End[], now: number, { plan, report }: Review): void {
  const [first] = ends;
  if (!first || !plan.isFirst(`${topic} ${kind} ${ends.map(({ subject }) => subject).join()}`)) return;
  const one = ends.length === 1 ? first.subject : `${ends.length} network ACLs and memberships`;
  const lines = ends.slice(0, most).map((end) => `- ${endWords(end, now)}.`);
  const rest = ends.length > most ? [`- and ${ends.length - most} more`] : [];
  const groups = [
    ...new Map(ends.map((end) => [JSON.stringify([end.status, end.member === undefined]), end])).values(),
  ];
  const advice = groups.flatMap((end) => consequenceOf(end, ends.length === 1));
  report({
    severity: "warning",
    code:
      kind === "soon"
        ? ["TNF-EXPIRES-SOON", `${one} ${ends.length === 1 ? "expires" : "expire"}`]
        : ["TNF-EXPIRED", one],
    detail: [[...lines, ...rest].join("\n"), ...(advice.length > 0 ? [advice.join(" ")] : [])].join("\n\n"),
  });
}
