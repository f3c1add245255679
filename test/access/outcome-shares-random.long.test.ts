/** Compares the shares of changed outcomes with the evaluation of every single request, for random stacks. */
import { countries, internetUsersOf } from "../../src/access/country";
import type { Result } from "../../src/access/action";
import { decide, type Acl } from "../../src/access/decide";
import { outcomeShifts, type Extent, type Shift } from "../../src/access/outcome-shares";
import { apis } from "../../src/access/request";
import { block } from "./support/acl";
import { samples, seeds } from "../support/seed";

const named = ["CN", "IN", "US", "KP"];
/** DE stands for all countries that no rule names. */
const weights = new Map([...named, "DE"].map((code) => [code, internetUsersOf(code)]));
const world = countries.reduce((sum, code) => sum + internetUsersOf(code), 0);
weights.set("DE", world - named.reduce((sum, code) => sum + internetUsersOf(code), 0));
const fours = Array.from({ length: 16 }, (_, index) => `${index * 16}.1.2.3`);
const sixes = Array.from({ length: 8 }, (_, index) => `${(0x20 + 4 * index).toString(16)}00::1`);
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
  const four = () => `${random(16) * 16}.0.0.0/${1 + random(4)}`;
  const six = () => `${pick(["20", "24", "28", "2c", "30", "38", "3c"])}00::/${3 + random(4)}`;
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

type Cells = Map<string, Set<string>>;

const resultsOf = (...results: readonly Result[]) =>
  results.map(({ outcome, redirect_uri }) => `${outcome} ${redirect_uri}`);

/** The requests that change, for each API, cause and pair of results. `original` names an ACL in the change. */
function expected({ before, after }: Edit, original = (acl: Acl) => acl, whole = { before, after }): Cells {
  const found: Cells = new Map();
  for (const api of apis) {
    for (const country of weights.keys()) {
      for (const ip of [...fours, ...sixes]) {
        const request = { api, ...facts, country, ip, connecting_ip: ip };
        const [was, is] = [decide(before, request), decide(after, request)];
        const results = resultsOf(was, is);
        if (results[0] === results[1]) continue;
        const [old, fresh] = [was.by && original(was.by), is.by && original(is.by)];
        const isAfter = fresh !== undefined && !whole.before.includes(fresh);
        const cause = isAfter ? fresh : old!;
        expect(isAfter || !whole.after.includes(cause)).toBe(true);
        const key = [api, isAfter, (isAfter ? whole.after : whole.before).indexOf(cause), ...results].join();
        const cells = found.get(key) ?? new Set<string>();
        found.set(key, cells.add(`${country} ${ip}`));
      }
    }
  }
  return found;
}

function measured({ before, after }: Edit) {
  const { all, extent, example } = outcomeShifts(before, after, (acl) => !before.includes(acl) || !after.includes(acl));
  const keyOf = ({ api, isAfter, cause, before: was, after: is }: Shift<Acl>) =>
    [api, isAfter, (isAfter ? after : before).indexOf(cause), ...resultsOf(was, is)].join();
  return { all, extent, example, keyOf };
}

function expectExtent(extent: Extent, cells: ReadonlySet<string>): void {
  const count = (code: string, ips: readonly string[]) => ips.filter((ip) => cells.has(`${code} ${ip}`)).length;
  const share = (ips: readonly string[]) =>
    [...weights].reduce((sum, [code, users]) => sum + users * count(code, ips), 0) / world / ips.length;
  expect(extent.ipv4).toBeCloseTo(share(fours), 12);
  expect(extent.ipv6).toBeCloseTo(share(sixes), 12);
  const all = [...fours, ...sixes];
  const chosen = (least: number) => [...weights.keys()].filter((code) => count(code, all) >= least).toSorted();
  expect(extent.wholeCountries.filter((code) => weights.has(code))).toEqual(chosen(all.length));
  expect(extent.countries.filter((code) => weights.has(code))).toEqual(chosen(1));
}

test.each(seeds(samples(10, 30)))("random change %i", (seed) => {
  const change = edit(seed * 7919);
  const { all, extent, example, keyOf } = measured(change);
  const cells = expected(change);
  expect(new Set(all.map(keyOf))).toEqual(new Set(cells.keys()));
  for (const shift of all) {
    expectExtent(extent([shift]), cells.get(keyOf(shift))!);
    expect(shift.isCertain).toBe(true);
    const { ip, country } = example(shift);
    const request = { api: shift.api, ...facts, country: country ?? "", ip, connecting_ip: ip };
    const [was, is] = [decide(change.before, request), decide(change.after, request)];
    expect(resultsOf(was, is)).toEqual(resultsOf(shift.before, shift.after));
    expect([was.by, is.by]).toContain(shift.cause);
  }
  for (const api of apis) {
    const own = all.filter((shift) => shift.api === api);
    expectExtent(extent(own), new Set(own.flatMap((shift) => [...cells.get(keyOf(shift))!])));
  }
});

/** Some rules have a signal that this version does not know, and some ACLs have the same priority as another one. */
function uncertainEdit(seed: number): Edit {
  const { before, after } = edit(seed);
  const { random } = randomly(seed + 1);
  const unsure = new Map<Acl["rule"], Acl["rule"]>();
  const tied = random(3);
  const replace = (acl: Acl): Acl => {
    const { match_all: _all, ...rule } = acl.rule;
    const isUnsure = [...unsure.keys()].length < 3 && random(2) === 1;
    const made =
      unsure.get(acl.rule) ??
      (isUnsure ? { ...rule, match: { ...rule.match, new_signal: [`${unsure.size}`] } } : acl.rule);
    unsure.set(acl.rule, made);
    return { ...acl, rule: made, priority: tied === 0 ? Math.ceil(acl.priority / 4) : acl.priority };
  };
  const made = new Map([...before, ...after].map((acl) => [acl, replace(acl)]));
  return { before: before.map((acl) => made.get(acl)!), after: after.map((acl) => made.get(acl)!) };
}

/** Every combination of what the unknown signals match and how equal priorities are ordered, as changes without unknowns. */
function readings(change: Edit): { change: Edit; original: (acl: Acl) => Acl }[] {
  const acls = [...new Set([...change.before, ...change.after])];
  const signals = [...new Set(acls.flatMap(({ rule }) => (rule.match?.["new_signal"] as string[] | undefined) ?? []))];
  const keys = [...new Set(acls.map(({ key }) => key!))];
  const orders = ordersOf(keys, [...new Set([change.before, change.after].flatMap(tiedKeys))]);
  return Array.from({ length: 2 ** signals.length }, (_, mask) => mask).flatMap((mask) =>
    orders.map((order) => {
      const originals = new Map<Acl, Acl>();
      const resolved = (acl: Acl): Acl[] => {
        const { match: { new_signal: signal, ...match } = {}, ...rule } = acl.rule;
        if (signal !== undefined && !(mask & (1 << signals.indexOf((signal as string[])[0]!)))) return [];
        const sides = { ...rule, ...(Object.keys(match).length > 0 && { match }) };
        const plain = "match" in sides || "not_match" in sides ? sides : { ...sides, match_all: true };
        const made = { ...acl, rule: plain, priority: acl.priority + order.indexOf(acl.key!) / 100 };
        originals.set(made, acl);
        return [made];
      };
      const [before, after] = [change.before.flatMap(resolved), change.after.flatMap(resolved)];
      return { change: { before, after }, original: (acl: Acl) => originals.get(acl)! };
    }),
  );
}

const tiedKeys = (acls: readonly Acl[]) =>
  acls.filter((acl) => acls.some((one) => one !== acl && one.priority === acl.priority)).map(({ key }) => key!);

/** Each two ACLs with a tied priority first: one decides a request before the change, the other one after it. */
function ordersOf(keys: readonly string[], tied: readonly string[]): (readonly string[])[] {
  if (tied.length === 0) return [keys];
  return tied.flatMap((first) =>
    tied
      .filter((second) => second !== first)
      .map((second) => [first, second, ...keys.filter((key) => key !== first && key !== second)]),
  );
}

test.each(seeds(samples(10, 30)))("random uncertain change %i", (seed) => {
  const change = uncertainEdit(seed * 104_729);
  const { all, extent, keyOf } = measured(change);
  const each = readings(change).map(({ change: sure, original }) => expected(sure, original, change));
  const keys = new Set(each.flatMap((cells) => [...cells.keys()]));
  expect(new Set(all.map(keyOf))).toEqual(keys);
  for (const key of keys) {
    const own = all.filter((shift) => keyOf(shift) === key);
    const possible = new Set(each.flatMap((cells) => [...(cells.get(key) ?? [])]));
    expectExtent(extent(own), possible);
    const [api, , , ...results] = key.split(",");
    const held = each.map((cells) => {
      const same = [...cells].filter(([other]) => other.startsWith(`${api},`) && other.endsWith(results.join()));
      return new Set(same.flatMap(([, found]) => [...found]));
    });
    const certain = new Set([...possible].filter((cell) => held.every((one) => one.has(cell))));
    for (const shift of own.filter(({ isCertain }) => isCertain)) expectExtent(extent([shift]), certain);
  }
});
