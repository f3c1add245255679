/** Checks the SARIF: its form, the places of its results, and what its rules say. */
import path from "node:path";
import { effect, type Effect, type Place } from "../../src/impact/effect";
import { toAnnotations } from "../../src/review/render/annotations";
import { placeOf } from "../../src/review/places/lookup";
import { reviewPlans, type Review } from "../../src/review/review";
import { findingCodes } from "../../src/codes/codes";
import { toSarif } from "../../src/review/render/sarif";
import { version } from "../../src/version";
import { plan } from "./support/plan";

const file = "acl.tf";
const address = "tenant_network_acl.a";
const placed = (effects: readonly Effect[], place: Place = { file, line: 7 }): Review => ({
  ...reviewPlans("stack", [plan([])]),
  effects,
  places: new Map([[undefined, new Map([[address, place]])]]),
});

interface Log {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly Record<string, any>[] } };
      readonly results: readonly Record<string, any>[];
    },
  ];
}
const runOf = (review: Review, root?: string) => (toSarif([review], version, root) as Log).runs[0];
const locationsOf = (review: Review, root?: string) =>
  runOf(review, root).results.map(({ locations }) => locations[0].physicalLocation as object);

test("points to the resource of an address with indexes", () => {
  const found = [`${address}[0]`, `${address}["a.b[\\"0\\"]"]`].map((one) =>
    effect("TNF-DESTROYED", "Text.", { address: one }),
  );
  const location = { artifactLocation: { uri: file, uriBaseId: "%SRCROOT%" }, region: { startLine: 7 } };
  expect(locationsOf(placed(found))).toEqual([location, location]);
});

test("names the plan if the place is not known, or is outside of the repository", () => {
  const fallback = { artifactLocation: { uri: "stack" }, region: { startLine: 1 } };
  const elsewhere = effect("TNF-DESTROYED", "Text.", { address: "tenant_network_acl.b" });
  expect(locationsOf(placed([effect("TNF-INCOMPLETE", "Text."), elsewhere]))).toEqual([fallback, fallback]);
  const one = effect("TNF-DESTROYED", "Text.", { address });
  expect(locationsOf(placed([one], { file: "../beside/acl.tf", line: 7 }))).toEqual([fallback]);
  expect(locationsOf(placed([one]), path.resolve("..", "nowhere"))).toEqual([fallback]);
  expect(toAnnotations([placed([one], { file: "../beside/acl.tf", line: 7 })])).toMatch(/^::notice title=/);
});

test("keeps names of files and plans inside their URI", () => {
  const one = effect("TNF-DESTROYED", "Text.", { address });
  const hostile = "http:a/?b#c%20\ud800\n/é.tf";
  const uri = "http%3Aa/%3Fb%23c%2520%EF%BF%BD%0A/%C3%A9.tf";
  expect(locationsOf(placed([one], { file: hostile, line: 1 }))).toMatchObject([{ artifactLocation: { uri } }]);
  const unknown = { ...placed([effect("TNF-INCOMPLETE", "Text.")]), name: hostile };
  expect(locationsOf(unknown)).toMatchObject([{ artifactLocation: { uri } }]);
});

test("finds the address in the plan of the effect, and guesses nothing if two plans have it", () => {
  const places = new Map([
    ["edge", new Map([[address, { file: "edge.tf", line: 1 }]])],
    ["base", new Map([[address, { file: "base.tf", line: 2 }]])],
    ["other", new Map()],
  ]);
  expect(placeOf({ places }, `${address}[1]`, "base")).toEqual({ file: "base.tf", line: 2 });
  expect(placeOf({ places }, address, "other")).toBeUndefined();
  expect(placeOf({ places }, address, "unknown")).toBeUndefined();
  expect(placeOf({ places }, address)).toBeUndefined();
  expect(placeOf({ places }, undefined, "base")).toBeUndefined();
});

test("marks what was so before the plan as unchanged notes, and annotates none of it", () => {
  const review = placed([
    effect("TNF-ACL-LOCKOUT", "Old.", { address, already: true }),
    effect("TNF-ACL-LOCKOUT", "New.", { address }),
  ]);
  const [old, recent] = runOf(review).results;
  expect(old).toMatchObject({ level: "note", baselineState: "unchanged" });
  expect(recent).toMatchObject({ level: "error" });
  expect(recent).not.toHaveProperty("baselineState");
  expect(toAnnotations([review])).toMatch(
    /^::error file=acl\.tf,line=7,title=TNF-ACL-LOCKOUT::New\. https:\S+findings\.md#tnf-acl-lockout\n$/,
  );
});

test("has a rule for each code, with a title, its meaning, and a link to its section", () => {
  const { rules: written } = runOf(placed([])).tool.driver;
  expect(written.map(({ id }) => id as string)).toEqual(findingCodes);
  for (const { id, shortDescription, fullDescription, helpUri, help } of written) {
    expect(shortDescription.text).toMatch(/^[A-Z][^.]{5,70}$/);
    expect(fullDescription.text).toMatch(/^[A-Z].*\.$/);
    const link = `https://github.com/tenantform/tenantform/blob/v${version}/docs/guides/findings.md#${id.toLowerCase()}`;
    expect(helpUri).toBe(link);
    expect([help.text, help.markdown]).toEqual([expect.stringContaining(link), expect.stringContaining(`(${link})`)]);
  }
});
