/** Compares the shares of changed outcomes with known figures and with the evaluation of single requests. */
import { countries, continentOf, internetUsersOf } from "../../src/access/country";
import type { Acl } from "../../src/access/decide";
import { outcomeShifts } from "../../src/access/outcome-shares";
import type { Rule } from "../../src/access/rule";
import { Undecided } from "../../src/access/search";
import { block } from "./support/acl";

const allow = (rule: Partial<Rule>, priority: number, key?: string) =>
  block({ action: { allow: true }, ...rule }, priority, key);
const world = countries.reduce((sum, country) => sum + internetUsersOf(country), 0);
const shareOf = (...codes: string[]) => codes.reduce((sum, country) => sum + internetUsersOf(country), 0) / world;

/** The shifts of authentication requests, and their extent. An ACL is changed if the other version does not have it. */
function change(before: readonly Acl[], after: readonly Acl[]) {
  const shared = new Set(before.filter((acl) => after.includes(acl)));
  const shifts = outcomeShifts(before, after, (acl) => !shared.has(acl));
  const own = shifts.all.filter(({ api }) => api === "authentication");
  return { own, ...shifts, ...shifts.extent(own) };
}

describe("measured examples", () => {
  test("a blocked country", () => {
    const { own, ipv4, ipv6, ...extent } = change([], [block({ match: { geo_country_codes: ["CN"] } })]);
    expect(own).toMatchObject([
      { isAfter: true, before: { outcome: "allowed" }, after: { outcome: "blocked" }, isCertain: true },
    ]);
    expect(ipv4).toBeCloseTo(shareOf("CN"), 12);
    expect(ipv6).toBe(ipv4);
    expect([extent.countries, extent.wholeCountries, extent.byCountry]).toEqual([["CN"], ["CN"], new Map([["CN", 1]])]);
    expect(extent.blocks).toBeUndefined();
  });

  test("half of IPv4", () => {
    const {
      ipv4,
      ipv6,
      wholeCountries,
      addresses,
      blocks,
      otherBlocks,
      countries: affected,
    } = change([], [block({ match: { ipv4_cidrs: ["0.0.0.0/1"] } })]);
    expect([ipv4, ipv6, addresses]).toEqual([0.5, 0, { ipv4: 2n ** 31n, ipv6: 0n }]);
    expect([affected.length, wholeCountries.length]).toEqual([countries.length, 0]);
    expect([blocks, otherBlocks]).toEqual([["0.0.0.0/1"], ["128.0.0.0/1", "::/0"]]);
  });

  test("a draft switched on that blocks everyone outside the countries of Europe", () => {
    const europe = countries.filter((country) => continentOf(country) === "Europe");
    const draft = block({ not_match: { geo_country_codes: europe } });
    const { ipv4, wholeCountries } = change([{ ...draft, active: false }], [draft]);
    expect(ipv4).toBeCloseTo(1 - shareOf(...europe), 12);
    expect(wholeCountries).toHaveLength(countries.length - europe.length);
  });

  test("an allow that narrows before a wall", () => {
    const wall = block({ match_all: true }, 9);
    const before = allow({ match: { geo_country_codes: ["DE", "FR", "US"] } }, 1);
    const after = allow({ match: { geo_country_codes: ["DE"] } }, 1);
    const { own, ipv4, wholeCountries } = change([before, wall], [after, wall]);
    expect(own).toMatchObject([{ cause: before, isAfter: false, after: { outcome: "blocked" } }]);
    expect([ipv4, wholeCountries]).toEqual([expect.closeTo(shareOf("FR", "US"), 12), ["FR", "US"]]);
  });

  test("a removed default deny that unchanged ACLs make smaller", () => {
    const office = allow({ match: { ipv4_cidrs: ["203.0.113.0/24"] } }, 1);
    const wall = block({ match_all: true }, 9);
    const { own, ipv4, ipv6, blocks, otherBlocks } = change([office, wall], [office]);
    expect(own).toMatchObject([{ cause: wall, isAfter: false, before: { outcome: "blocked" } }]);
    expect([ipv4, ipv6]).toEqual([1 - 2 ** -24, 1]);
    expect(blocks).toHaveLength(25);
    expect(otherBlocks).toEqual(["203.0.113.0/24"]);
  });

  test("a moved redirect", () => {
    const to = (redirect_uri: string) => block({ action: { redirect: true, redirect_uri }, match_all: true });
    const { own, ipv4 } = change([to("https://a.example")], [to("https://b.example")]);
    expect(own).toMatchObject([
      { before: { redirect_uri: "https://a.example" }, after: { redirect_uri: "https://b.example" } },
    ]);
    expect(ipv4).toBe(1);
  });

  test("a description that changes nothing", () => {
    expect(change([block({ match_all: true })], [{ ...block({ match_all: true }) }]).all).toEqual([]);
  });

  test("facts other than country and address have values that no rule names", () => {
    const named = { asns: [64500], user_agents: ["curl/8"], hostnames: ["a.example"], ja4_fingerprints: ["t13d"] };
    const managed = { auth0_managed: ["auth0.tor"], geo_subdivision_codes: ["US-CA"] };
    expect(change([], [block({ match: named }), block({ match: managed }, 2)]).all).toEqual([]);
    const { ipv4 } = change([], [block({ not_match: { ...named, ...managed } })]);
    expect(ipv4).toBe(1);
  });

  test("scopes", () => {
    const wall = block({ scope: "authentication", match_all: true });
    expect(change([], [wall]).all.map(({ api }) => api)).toEqual(["authentication", "dynamic_client_registration"]);
  });
});

describe("all but a little", () => {
  test.each<[string, Rule["not_match"]]>([
    ["an IPv4 address", { ipv4_cidrs: ["203.0.113.7"] }],
    ["an IPv6 address", { ipv6_cidrs: ["2001:db8::7"] }],
    ["a country without users", { geo_country_codes: ["KP"] }],
  ])("is not everything without %s", (_name, not_match) => {
    const { ipv4, ipv6, wholeCountries, byCountry, extent, all } = change([], [block({ not_match })]);
    expect(Math.min(ipv4, ipv6)).toBeLessThan(1);
    expect(wholeCountries.length).toBeLessThan(countries.length);
    expect(extent(all)).toEqual(extent(all.slice(0, 1)));
    for (const country of wholeCountries) expect(byCountry.get(country)).toBe(1);
  });

  test("a single address is not nothing", () => {
    const { ipv4, ipv6 } = change([], [block({ match: { ipv6_cidrs: ["2001:db8::7"], geo_country_codes: ["KP"] } })]);
    expect(ipv4).toBe(0);
    expect(ipv6).toBeGreaterThan(0);
  });

  test("leaves out lists of more than 64 blocks", () => {
    const many = Array.from({ length: 65 }, (_, index) => `${index * 2}.0.0.0/8`);
    const { blocks, otherBlocks } = change([], [block({ match: { ipv4_cidrs: many } })]);
    expect([blocks, otherBlocks]).toEqual([undefined, undefined]);
  });
});

test("counts requests in several shifts once", () => {
  const { all, extent } = change([], [block({ match: { ipv4_cidrs: ["0.0.0.0/1"] } })]);
  expect(all).toHaveLength(3);
  expect(extent(all).ipv4).toBe(0.5);
  expect(extent([])).toMatchObject({ ipv4: 0, ipv6: 0, countries: [], byCountry: new Map() });
});

test("attributes a shift to the changed ACL that decides after the change", () => {
  const [old, fresh] = [block({ match: { ipv4_cidrs: ["0.0.0.0/1"] } }, 1), allow({ match_all: true }, 2)];
  const last = block({ match_all: true }, 3);
  expect(change([old, last], [fresh, last]).own).toMatchObject([{ cause: fresh, isAfter: true }]);
  expect(change([fresh, last], [last]).own).toMatchObject([{ cause: fresh, isAfter: false }]);
});

test("refuses to count if counting would take too long", () => {
  const many = [block({ match_all: true }, 1), block({ match: { geo_country_codes: ["DE"] } }, 2)];
  expect(() => outcomeShifts([], many, () => true, 5)).toThrow(Undecided);
  expect(() => outcomeShifts([], many, () => true, 10_000)).not.toThrow();
});
