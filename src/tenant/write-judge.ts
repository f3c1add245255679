/** Judges a write of a network ACL by all ACLs of the tenant, in every state that other writes under way may leave. */
import type { Change, Moves, Write } from "./priority-change";
import type { StandingAcl } from "./write-guard";

/** With more writes under way, a final write waits, and another one is judged as if all of them, or none, had taken effect. */
const mostAtOnce = 3;

/** The error for the write; undefined: the guard has no judge, or the judge accepts the write. */
export function judgedRefusal(
  moves: Moves,
  change: Change,
  { before, after }: Write,
  first?: StandingAcl,
): Error | undefined {
  const { guard, id, wanted } = change;
  const judge = guard?.judge;
  if (!judge || !judge.mayBreak(before, after)) return undefined;
  const isFinal = after?.priority === wanted?.priority;
  const sent = sentWrites(moves, change);
  if (isFinal && sent.length > mostAtOnce) return new Error("Other writes are under way.");
  for (const now of statesOf(moves, sent)) {
    const all = first ? [...now.filter((acl) => acl.id === undefined || acl.id !== first.id), first] : now;
    const others = all.filter((acl) => id === undefined || acl.id !== id);
    const refusal = judge.refusal(all, after ? [...others, { ...after, id }] : others, isFinal);
    if (refusal) return refusal;
  }
  return undefined;
}

type Sent = Change & { readonly sending: Write };

function sentWrites({ changes }: Moves, except: Change): Sent[] {
  return [...changes].filter((change): change is Sent => change !== except && change.sending !== undefined);
}

/** Each state that the tenant may have: every write under way has taken effect, or has not. */
function statesOf({ board }: Moves, sent: readonly Sent[]): StandingAcl[][] {
  const ids = new Set(sent.map(({ id }) => id));
  const calm = board.all().filter(({ id }) => !ids.has(id)) as StandingAcl[];
  const [first = [], ...others] = sent.map(({ id, sending: { before, after } }) =>
    [after, before].map((acl) => (acl ? [{ ...acl, id }] : [])),
  );
  if (sent.length === 0) return [calm];
  if (sent.length > mostAtOnce) {
    return [0, 1].map((side) =>
      [first, ...others].reduce<StandingAcl[]>((all, sides) => [...all, ...sides[side]!], calm),
    );
  }
  return others.reduce<StandingAcl[][]>(
    (states, sides) => states.flatMap((state) => sides.map((side) => [...state, ...side])),
    first.map((side) => [...calm, ...side]),
  );
}
