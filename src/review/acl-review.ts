/** What plans mean for the requests of a tenant: the order of its ACLs, what changes for whom, and what to look at. */
import {
  type Change,
  createComparison,
  difference,
  type Difference,
  inOrder,
  type RecordingChange,
  recordingChanges,
  unreachable,
  type Unreachable,
} from "../access/access";
import { urlIn } from "../text/url";
import { secretTexts, type ReviewedAcl } from "./acls";
import { finding, type Finding } from "../impact/finding";
import { hidden } from "../impact/hidden";
import { titleOf, requestWords } from "./words";

export interface AclReview extends Difference<ReviewedAcl> {
  /** The active ones, in order of evaluation. */
  readonly before: readonly ReviewedAcl[];
  readonly after: readonly ReviewedAcl[];
  readonly unreachable: readonly Unreachable<ReviewedAcl>[];
  readonly unrecorded: readonly RecordingChange<ReviewedAcl>[];
  /** Kinds of facts that must not be shown, as something about them is sensitive. */
  readonly secrets: ReadonlySet<string>;
}

/** `isDoubtful`: what is reviewed is perhaps not all that the tenant has. */
export function reviewAcls(
  before: readonly ReviewedAcl[],
  after: readonly ReviewedAcl[],
  isDoubtful = false,
): AclReview {
  const comparison = createComparison(before, after);
  const found = difference(comparison);
  const redact = redacted(before, after);
  return {
    ...found,
    proven: found.proven && !isDoubtful,
    changes: found.changes.map((change) => ({
      ...change,
      assumptions: change.assumptions.map(redact),
    })),
    before: inOrder(before),
    after: inOrder(after),
    // What is hidden by others that may be another tenant's is not certainly so.
    unreachable: unreachable(
      after.every(isSure) ? comparison : createComparison(before.filter(isSure), after.filter(isSure)),
    ),
    unrecorded: recordingChanges(comparison).lost,
    secrets: new Set([...before, ...after].flatMap(({ secret }) => [...secret])),
  };
}

const isSure = ({ unplaced }: ReviewedAcl) => !unplaced;

/** Assumptions are said with values that may have to be hidden: those that a reading knows by what is written. */
function redacted(...versions: readonly (readonly ReviewedAcl[])[]): (words: string) => string {
  const texts = versions.flat().flatMap(secretTexts);
  return (words) => texts.reduce((said, text) => said.replaceAll(text, hidden), words);
}

export function aclFindings(review: AclReview, ownHosts: ReadonlySet<string>): Finding[] {
  const { changes, secrets } = review;
  const widened = changes.filter(({ before, after }) => {
    return after.outcome === "allowed" && after.acl !== undefined && before.outcome !== "allowed";
  });
  const opened = changes.filter((change) => change.after.outcome === "allowed" && !widened.includes(change));
  const tightened = changes.filter(({ before, after }) => {
    return after.outcome === "blocked" || (before.outcome === "allowed" && after.outcome === "redirected");
  });
  const open = changes.filter(({ certainty }) => certainty === "possible");
  const undecided = changes.filter(({ certainty }) => certainty === "not decided");
  const say = (change: Change<ReviewedAcl>) => changeWords(change, secrets);
  return [
    ...perAcl(widened, ({ after }) => after.acl).map(([acl, own]) =>
      finding("TF-ACL-WIDENED", `${titleOf(acl)} lets through what was kept out. ${own.map(say).join(" ")}`, acl),
    ),
    ...perAcl(opened, ({ before }) => before.acl).map(([acl, own]) =>
      finding("TF-ACL-OPENED", `${titleOf(acl)} keeps out less. ${own.map(say).join(" ")}`, acl),
    ),
    ...perAcl(tightened, ({ after }) => after.acl).map(([acl, own]) =>
      finding("TF-ACL-TIGHTENED", `${titleOf(acl)} keeps out more. ${own.map(say).join(" ")}`, acl),
    ),
    ...review.unreachable.map(({ acl, hiddenBy }) =>
      finding("TF-ACL-SHADOWED", `${titleOf(acl)} can never match: ${hiddenWords(hiddenBy)}.`, acl),
    ),
    ...review.unrecorded.map(({ acl, witness }) =>
      finding(
        "TF-ACL-UNRECORDED",
        `${titleOf(acl)} recorded requests that nothing records any more, such as ${requestWords(witness, secrets)}.`,
        acl,
      ),
    ),
    ...foreignRedirects(review, ownHosts),
    ...samePriorities(review.after),
    ...(open.length > 0
      ? [finding("TF-ACL-ASSUMED", `${count(open.length, "change")} may be or not: ${assumptions(open)}.`)]
      : []),
    ...(undecided.length > 0
      ? [
          finding(
            "TF-ACL-UNDECIDED",
            `${count(undecided.length, "pair")} of ACLs are too entangled to decide: whether an outcome changes there is not known.`,
          ),
        ]
      : []),
  ];
}

export function hiddenWords(hiddenBy: readonly ReviewedAcl[]): string {
  if (hiddenBy.length === 0) return "its own criteria contradict each other";
  return `${hiddenBy.map(titleOf).join(" and ")} ${hiddenBy.length > 1 ? "decide" : "decides"} all of its requests before`;
}

const pasts = { allowed: "let through", blocked: "blocked", redirected: "redirected" } as const;

export function changeWords(
  { before, after, certainty, witness, assumptions: said }: Change<ReviewedAcl>,
  secrets: ReadonlySet<string>,
): string {
  const was = `${pasts[before.outcome]} (${before.acl ? titleOf(before.acl) : "no ACL matched"})`;
  const is = `${pasts[after.outcome]}${after.redirect_uri && !secrets.has("redirect_uri") ? ` to ${after.redirect_uri}` : ""}`;
  const by = after.acl ? titleOf(after.acl) : "no ACL matches";
  const who = witness ? `A request such as ${requestWords(witness, secrets)}` : "Some requests perhaps";
  const may =
    certainty === "possible" ? `, if ${said.join(" and ")}` : certainty === "not decided" ? " (not decided)" : "";
  return `${who}: was ${was}, will be ${is} (${by})${may}.`;
}

function perAcl<T>(items: readonly T[], aclOf: (item: T) => ReviewedAcl | undefined): [ReviewedAcl | undefined, T[]][] {
  const groups = new Map<ReviewedAcl | undefined, T[]>();
  for (const item of items) groups.set(aclOf(item), [...(groups.get(aclOf(item)) ?? []), item]);
  // A few examples tell what is meant; the table has them all.
  return [...groups].map(([acl, own]) => [acl, own.slice(0, 3)]);
}

function foreignRedirects({ before, after }: AclReview, ownHosts: ReadonlySet<string>): Finding[] {
  const known = new Set(before.map(({ rule }) => rule.action["redirect_uri"]));
  return after.flatMap((acl) => {
    const uri: unknown = acl.rule.action["redirect_uri"];
    if (typeof uri !== "string" || known.has(uri) || acl.secret.has("redirect_uri")) return [];
    const host = urlIn(uri)?.hostname ?? "a host that cannot be read";
    if (ownHosts.has(host)) return [];
    return [
      finding(
        "TF-ACL-REDIRECT",
        `${titleOf(acl)} sends clients to ${host}, which is no known host of the tenant.`,
        acl,
      ),
    ];
  });
}

function samePriorities(acls: readonly ReviewedAcl[]): Finding[] {
  return [...new Set(acls.map(({ priority }) => priority))].flatMap((priority) => {
    const group = acls.filter((acl) => acl.priority === priority && !acl.unplaced);
    if (group.length < 2) return [];
    const names = group.map(titleOf).join(" and ");
    const shown = group.some(({ secret }) => secret.has("priority")) ? hidden : priority;
    const text = `${names} have the same priority, ${shown}: the service does not say which is asked first.`;
    return [finding("TF-ACL-SAME-PRIORITY", text, group[0])];
  });
}

function assumptions(changes: readonly Change<ReviewedAcl>[]): string {
  return [...new Set(changes.flatMap((change) => change.assumptions))].slice(0, 5).join("; ");
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
