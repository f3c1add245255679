/** Finds the changes of outcome that are certain under all assumptions. */
import { createComparison } from "../../src/access/comparison";
import type { Acl } from "../../src/access/decide";
import { difference } from "../../src/access/difference";
import { notKnown, type Assumptions } from "../../src/access/assumptions";
import { commonPoint, endAt } from "../../src/access/region";
import { ifDecided, type Budget } from "../../src/access/search";
import type { Box } from "../../src/access/space";
import type { Rule } from "../../src/access/rule";
import { block } from "./support/acl";

const between = (before: readonly Acl[], after: readonly Acl[]) => difference(createComparison(before, after));

/** An unknown signal matches nearly every request or none. Requests from France are blocked before. */
const france = block({ match: { geo_country_codes: ["FR"] } }, 1);
const exempt = block({ action: { allow: true }, match: { threat: 1 }, not_match: { geo_country_codes: ["DE"] } }, 2);
const wall = block({ match_all: true }, 3);

test("searches a request in every pair that differs under the other assumptions", () => {
  const change = between([], [france, exempt, wall]).changes.find(({ after }) => after.acl === wall);
  expect(change).toMatchObject({ certainty: "certain", witness: { country: "DE" } });
});

test("reports a change as certain if each option leads to it", () => {
  const one = block({ match: { threat: 1, asns: [1] } }, 1);
  const other = block({ action: { allow: true }, match: { threat: 2, asns: [2] } }, 2);
  const both = block({ match: { asns: [1, 2] } }, 3);
  const change = between([], [one, other, both]).changes.find(({ after }) => after.acl === both);
  expect(change).toMatchObject({ certainty: "certain", witness: { asn: 1 } });
});

test("spends budget on each comparison of regions", () => {
  const { combinations, pairs, space } = createComparison([], [france, exempt, wall]);
  const blocked = (under: Assumptions) => pairs(under).filter(({ other }) => other.acl === wall);
  const within = (budget: Budget) =>
    ifDecided(() => {
      const own = { regions: (under: Assumptions) => blocked(under).map((pair) => pair.region()), space, budget };
      const has = (point: Box, under: Assumptions) =>
        endAt([france, exempt, wall], point, under, space).end.outcome === "blocked";
      return commonPoint(own.regions(combinations.all[1]!), { ...own, all: combinations.all, has });
    });
  const budget = { left: 100 };
  expect(within(budget)).toBeDefined();
  expect(within({ left: 100 - budget.left })).toBeDefined();
  expect(within({ left: 100 - budget.left - 1 })).toBeUndefined();
});

const redirect = (redirect_uri: unknown, more: Partial<Rule> = {}) =>
  block({ action: { redirect: true, redirect_uri }, match: { asns: [1] }, ...more });
const away = redirect("https://a.example");
const unknownAction = (name: string) =>
  block({ action: notKnown(name) as unknown as Rule["action"], match: { asns: [1] } });
const certaintiesOf = (before: readonly Acl[], after: readonly Acl[]) => [
  ...new Set(between(before, after).changes.map(({ certainty }) => certainty)),
];

test("counts an unknown action as possibly the same redirect as before", () => {
  const { changes, proven } = between([away], [unknownAction("new")]);
  expect(changes.map(({ certainty, assumptions }) => [certainty, ...assumptions])).toEqual(
    ["block", "allow", "log", "redirect"].map((action) => ["possible", `the action of new is ${action}`]),
  );
  expect(proven).toBe(false);
  expect(between([unknownAction("same")], [unknownAction("same")])).toMatchObject({ changes: [], proven: true });
});

test("names all assumptions if none decides alone", () => {
  const open = [1, 2].map((at) => block({ match: { asns: notKnown(`new${at}`) } }, at));
  const { changes } = between([block({ match: { asns: [1] }, scope: "management" }, 3)], open);
  expect(changes.find(({ after }) => after.acl === open[0])!.assumptions).toEqual([
    "new1 lets the rule match",
    "new2 lets the rule match",
  ]);
});

describe("too many uncertainties for all combinations", () => {
  /** They only log, so they change no outcome themselves. */
  const openLists = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      block({ action: { log: true }, match: { hostnames: notKnown(`new${at}`) } }, at + 10),
    );
  const open = openLists(7);
  const amongMany = (before: readonly Acl[], after: readonly Acl[]) =>
    certaintiesOf([...before, ...open], [...after, ...open]);

  test("reports a change of known values as certain", () => {
    expect(amongMany([], [block({ match: { asns: [1] } })])).toEqual(["certain"]);
    expect(amongMany([away], [redirect("https://b.example")])).toEqual(["certain"]);
    expect(amongMany([away], [block({ match: { asns: [1] } })])).toEqual(["certain"]);
  });

  test("counts an unknown redirect or action as possibly the same as before", () => {
    expect(amongMany([away], [redirect(notKnown("new"))])).toEqual(["possible"]);
    expect(amongMany([redirect(notKnown("new"))], [away])).toEqual(["possible"]);
    expect(amongMany([away], [unknownAction("new")])).toEqual(["possible"]);
    expect(amongMany([], [redirect(notKnown("new"))])).toEqual(["certain"]);
    // Too many options to try the target of the redirect.
    const others = [...openLists(70), redirect("https://b.example", { match: { asns: [2] } })];
    expect(certaintiesOf([away, ...others], [redirect(notKnown("new")), ...others])).toEqual(["possible"]);
  });

  test("reports a certain block at every position if only blocking ACLs can come before", () => {
    const unplaced = block({ match: { asns: [1] } }, NaN, "new");
    expect(amongMany([], [unplaced])).toEqual(["certain"]);
    expect(amongMany([], [unplaced, block({ action: { allow: true }, match: { asns: [1] } }, 5)])).toEqual([
      "possible",
    ]);
  });

  test("excludes a request by a single signal of not_match", () => {
    const exempted = { asns: [1], geo_country_codes: ["DE"] };
    const others = block({ action: { allow: true }, not_match: exempted }, 2);
    const both = block({ action: { allow: true }, match: exempted }, 1);
    expect(amongMany([], [both, others, wall])).toEqual(["certain"]);
  });

  test("counts the connecting addresses of both families as possibly two signals", () => {
    const proxies = { connecting_ipv4_cidrs: ["10.0.0.0/8"], connecting_ipv6_cidrs: ["2001:db8::/32"] };
    expect(amongMany([], [block({ match: proxies })])).toEqual(["possible"]);
    expect(amongMany([], [block({ match: { connecting_ipv4_cidrs: ["10.0.0.0/8"] } })])).toEqual(["certain"]);
  });

  test("counts codes as possibly not case-sensitive", () => {
    const country = (code: string) => block({ match: { geo_country_codes: [code] } });
    expect(amongMany([country("de")], [country("DE")])).toEqual(["possible"]);
    expect(amongMany([country("FR")], [country("DE")])).toEqual(["certain"]);
  });

  test("reports a change as certain if it is certain for each extent of the unknown rules", () => {
    const blocking = Array.from({ length: 7 }, (_, at) => block({ match: { asns: notKnown(`new${at}`) } }, at + 1));
    const office = block({ match: { ipv4_cidrs: ["10.0.0.0/8"] } }, 20);
    const { changes, proven } = between([], [...blocking, office]);
    expect(changes).toHaveLength(8);
    for (const change of changes) expect(change).toMatchObject({ certainty: "certain", witness: { ip: "10.0.0.7" } });
    expect(proven).toBe(false);
  });
});

test("a change is certain only if the same ACLs decide under the documented semantics", () => {
  const redirecting = redirect("https://a.example", { match: { geo_country_codes: ["de"] } });
  const domestic = block({ match: { geo_country_codes: ["DE"] } }, 20);
  const moved = { ...redirecting, priority: 10, key: "away" };
  const { changes, proven } = between([], [moved, domestic]);
  expect(changes.map(({ after, certainty, assumptions }) => [after.acl, certainty, assumptions])).toEqual([
    [domestic, "possible", ["codes and fingerprints are case-sensitive"]],
    [moved, "possible", ["codes and fingerprints are not case-sensitive"]],
  ]);
  expect(proven).toBe(false);
});
