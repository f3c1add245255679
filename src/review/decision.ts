/** Decides one request, with every outcome that unknown facts make possible. */
import { decide, outcomesOf, type AccessRequest, type Acl } from "../access/access";

export interface Decision<A extends Acl> {
  /** One outcome, or all possible outcomes: "blocked or allowed". */
  readonly outcome: string;
  readonly certain: boolean;
  readonly redirect_uri?: string;
  /** The deciding ACL. undefined: no ACL matches. */
  readonly by?: A;
  readonly because: string;
}

export function decisionOf<A extends Acl>(acls: readonly A[], request: AccessRequest): Decision<A> {
  const { by, because, endings } = decide(acls, request);
  const uri = endings.find((ending) => ending.by === by)?.redirect_uri;
  return {
    outcome: outcomesOf({ endings }),
    certain: new Set(endings.map(({ outcome }) => outcome)).size === 1,
    ...(uri !== undefined && { redirect_uri: uri }),
    ...(by && { by }),
    because,
  };
}

/** `blocked by "Closed" (priority 1)`. `title` names the deciding ACL. */
export function endWords({ outcome, certain }: Decision<Acl>, title: string | undefined): string {
  if (!certain) return `${outcome}: unknown facts decide`;
  return title === undefined ? `${outcome}, because no ACL matches` : `${outcome} by ${title}`;
}
