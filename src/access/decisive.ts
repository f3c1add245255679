/** Names the assumptions on which the results of a request depend. */
import { sameResult } from "./action";
import type { Assumptions } from "./assumptions";
import type { Comparison } from "./comparison";
import { endOf, type Acl } from "./decide";
import type { WholeRequest } from "./space";

/** The assumptions without which the request would have other results, in words. */
export function decisiveAssumptions<A extends Acl>(
  request: WholeRequest,
  assumptions: Assumptions,
  { before, after, uncertainties }: Comparison<A>,
): string[] {
  const versions = [before, after].map((acls) => ({ acls, end: endOf(acls, request, assumptions) }));
  const decisive = uncertainties.filter(({ name, options }) =>
    options.some((option) => {
      if (option === assumptions.get(name)) return false;
      const changed = new Map([...assumptions, [name, option]]);
      return versions.some(({ acls, end }) => !sameResult(endOf(acls, request, changed), end));
    }),
  );
  const named = decisive.length > 0 ? decisive : uncertainties;
  const words = named.slice(0, mostNamed).map(({ name, words: inWords }) => inWords(assumptions.get(name)!));
  return named.length > mostNamed ? [...words, "further assumptions hold"] : words;
}

const mostNamed = 10;
