/** Random statements about the requests of the small world. */
import { parseBlock } from "../../../../src/judge/access/cidr";
import type { RequestLists, Statement, StatedOutcome } from "../../../../src/judge/access/proof";
import type { WholeRequest } from "../../../../src/judge/access/request";
import { isInSet, values, type Request } from "./requests";

export function randomly(seed: number) {
  let state = seed * 7919 + 1;
  const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
  const pick = <T>(items: readonly T[]) => items[random(items.length)]!;
  const some = <T>(items: readonly T[]) => {
    const chosen = items.filter(() => !random(2));
    return chosen.length > 0 ? chosen : [pick(items)];
  };
  return { random, pick, some };
}

export type Random = ReturnType<typeof randomly>;

export const fours = ["0.0.0.0/0", "10.0.0.0/8", "10.0.0.0/31", "10.0.0.1"];
export const sixes = ["::/0", "2001:db8::/32"];

function setFrom({ random, some }: Random): RequestLists {
  return {
    ...(!random(2) && { scopes: some(values.api) }),
    ...(!random(3) && { ip_cidrs: some([...fours, ...sixes, "::ffff:10.0.0.1"]) }),
    ...(!random(6) && { connecting_ip_cidrs: some(["10.0.0.0/8", "::/0"]) }),
    ...(!random(3) && { countries: some(["DE", "us"]) }),
    ...(!random(6) && { subdivisions: ["US-CA"] }),
    ...(!random(6) && { managed: some(["auth0.tor", "auth0.vpn"]) }),
    ...(!random(6) && { user_agents: some(["curl", "bot"]) }),
  };
}

export function statementFrom(source: Random): Statement {
  const { random, some } = source;
  const sets = (most: number) => Array.from({ length: random(most) }, () => setFrom(source));
  const outcomes: StatedOutcome[] = ["blocked", "reached", "redirected", "logged"];
  return { outcomes: random(3) ? some(outcomes).slice(0, 1) : some(outcomes), requests: sets(3), except: sets(3) };
}

export const isMeant = (request: Request, { requests, except }: Statement) =>
  (requests.length === 0 || requests.some((set) => isInSet(request, set))) &&
  !except.some((set) => isInSet(request, set));

const partsOf = (agent: string) => ["bot", "curl"].filter((entry) => agent.includes(entry)).join();

/** The request of the world that no list separates from the given one. */
export function inWorld(request: WholeRequest): Request {
  const { api, ip, connecting_ip, country = "", subdivision, managed = [], user_agent = "" } = request;
  const near = (name: "ip" | "connecting", text: string) => {
    const { family, first } = parseBlock(text)!;
    const starts = values[name].map((start) => parseBlock(start)!);
    const at = starts.findLastIndex((start) => start.family === family && start.first <= first);
    return values[name][at >= 0 ? at : starts.findLastIndex((start) => start.family === family)]!;
  };
  return {
    api,
    ip: near("ip", ip),
    connecting: near("connecting", connecting_ip),
    place: subdivision ?? country,
    managed: managed.toSorted().join(" "),
    agent: user_agent.includes("...")
      ? values.agent.findLast((one) => partsOf(user_agent) === partsOf(one))!
      : user_agent,
  };
}
