/** Compares the shares of changed outcomes with the evaluation of every single request, for random stacks. */
import { countries } from "../../src/access/country";
import { decide, type Acl } from "../../src/access/decide";
import { internetUsersOf } from "../../src/access/internet-users";
import { outcomeShifts, type Shift } from "../../src/access/outcome-shares";
import { apis, type Api } from "../../src/access/request";
import { block } from "./support/acl";

const named = ["CN", "IN", "US", "KP"];
/** DE stands for all countries that no rule names. */
const weights = new Map([...named, "DE"].map((code) => [code, internetUsersOf(code)]));
const world = countries.reduce((sum, code) => sum + internetUsersOf(code), 0);
weights.set("DE", world - named.reduce((sum, code) => sum + internetUsersOf(code), 0));
const fours = Array.from({ length: 64 }, (_, index) => `${index * 4}.1.2.3`);
const sixes = Array.from({ length: 32 }, (_, index) => `${(0x20 + index).toString(16)}00::1`);
const facts = {
  asn: 9,
  subdivision: "?",
  user_agent: "?",
  ja3: "?",
  ja4: "?",
  managed: [],
  signature_key: "",
  hostname: "",
};

function randomly(seed: number) {
  let state = seed;
  const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
  const pick = <T>(items: readonly T[]) => items[random(items.length)]!;
  const four = () => `${random(64) * 4}.0.0.0/${1 + random(6)}`;
  const six = () => `${pick(["20", "24", "28", "2c", "30", "3a", "3f"])}00::/${3 + random(6)}`;
  const list = (make: () => string) => Array.from({ length: 1 + random(2) }, make);
  const criteria = () => ({
    ...(random(2) && { ipv4_cidrs: list(four) }),
    ...(!random(3) && { ipv6_cidrs: list(six) }),
    ...(!random(5) && { connecting_ipv4_cidrs: list(four) }),
    ...(!random(3) && { geo_country_codes: list(() => pick(named)) }),
  });
  const rule = () => {
    const [match, not_match] = [criteria(), random(2) ? criteria() : {}];
    const sides = { ...(Object.keys(match).length && { match }), ...(Object.keys(not_match).length && { not_match }) };
    return {
      ...(Object.keys(sides).length ? sides : { match_all: true }),
      scope: pick(["tenant", "tenant", "authentication", "management", "dynamic_client_registration"]),
      action: pick([
        { block: true },
        { allow: true },
        { log: true },
        { block: true },
        { redirect: true, redirect_uri: pick(["https://a.example", "https://b.example"]) },
      ]),
    };
  };
  return { random, pick, rule };
}

type Edit = { readonly before: Acl[]; readonly after: Acl[] };

function edit(seed: number): Edit {
  const { random, rule } = randomly(seed);
  const before = Array.from({ length: 1 + random(5) }, (_, index) => block(rule(), 2 * index + 2, `k${index}`));
  const after = before.flatMap((acl, index): Acl[] => {
    switch (random(6)) {
      case 0:
        return [];
      case 1:
        return [{ ...acl, rule: rule() as Acl["rule"] }];
      case 2:
        return [{ ...acl, active: false }];
      case 3:
        return [{ ...acl, priority: 2 * random(6) + 1 }];
      default:
        return index % 2 ? [acl, block(rule(), 2 * index + 3, `n${index}`)] : [acl];
    }
  });
  const distinct = new Map(after.map((acl) => [acl.priority, acl]));
  return { before, after: [...distinct.values()] };
}

/** Numbers the requests that change for each API, cause and pair of results. */
function expected({ before, after }: Edit) {
  const found = new Map<string, Map<string, number>>();
  for (const api of apis) {
    for (const country of weights.keys()) {
      for (const ip of [...fours, ...sixes]) {
        const request = { api, ...facts, country, ip, connecting_ip: ip };
        const [was, is] = [before, after].map((acls) => decide(acls, request));
        const results = [was!, is!].map(({ outcome, redirect_uri }) => `${outcome} ${redirect_uri}`);
        if (results[0] === results[1]) continue;
        const isAfter = is!.by !== undefined && !before.includes(is!.by);
        const cause = isAfter ? is!.by! : was!.by!;
        expect(isAfter || !after.includes(cause)).toBe(true);
        const key = [api, isAfter, (isAfter ? after : before).indexOf(cause), ...results].join();
        const cells = found.get(key) ?? new Map<string, number>();
        const family = `${country} ${ip.includes(":") ? 6 : 4}`;
        found.set(key, cells.set(family, (cells.get(family) ?? 0) + 1));
      }
    }
  }
  return found;
}

test.each(Array.from({ length: 20 }, (_, index) => index + 1))("random change %i", (seed) => {
  const change = edit(seed * 7919);
  const { before, after } = change;
  const { all, extent } = outcomeShifts(before, after, (acl) => !before.includes(acl) || !after.includes(acl));
  const keyOf = ({ api, isAfter, cause, before: was, after: is }: Shift<Acl>) => {
    const results = [was, is].map(({ outcome, redirect_uri }) => `${outcome} ${redirect_uri}`);
    return [api, isAfter, (isAfter ? after : before).indexOf(cause), ...results].join();
  };
  const cells = expected(change);
  expect(new Set(all.map(keyOf))).toEqual(new Set(cells.keys()));
  for (const shift of all) {
    const own = cells.get(keyOf(shift))!;
    const shareIn = (family: 4 | 6, size: number) =>
      [...weights].reduce((sum, [code, users]) => sum + users * (own.get(`${code} ${family}`) ?? 0), 0) / world / size;
    const measured = extent([shift]);
    expect(measured.ipv4).toBeCloseTo(shareIn(4, 64), 12);
    expect(measured.ipv6).toBeCloseTo(shareIn(6, 32), 12);
    const isWhole = (code: string) => own.get(`${code} 4`) === 64 && own.get(`${code} 6`) === 32;
    for (const code of weights.keys()) expect(measured.wholeCountries.includes(code)).toBe(isWhole(code));
    const some = [...weights.keys()].filter((code) => own.has(`${code} 4`) || own.has(`${code} 6`));
    expect(measured.countries.filter((code) => weights.has(code))).toEqual(some.toSorted());
    expect(shift.isCertain).toBe(true);
  }
  const one: Api = "authentication";
  const union = new Set(all.filter(({ api }) => api === one));
  const sum = [...union].reduce((total, shift) => total + extent([shift]).ipv4, 0);
  expect(extent([...union]).ipv4).toBeCloseTo(sum, 12);
});
