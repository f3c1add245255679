/** Splits logs into values, and finds events and their facts in the envelopes of log streams. */
import { factNames } from "../../../src/judge/access/access";
import { eventsIn, type LogEvent } from "../../../src/review/traffic/event";
import { readEvent } from "../../../src/review/traffic/request";
import { readValues } from "../../../src/review/traffic/values";

const every = new Set(factNames);

const data = { date: "2026-11-20T10:00:00Z", type: "s", log_id: "900", ip: "203.0.113.7", details: { request: {} } };
const { log_id: _id, ...bare } = data;
const whole = JSON.stringify(data);

function found(value: unknown): LogEvent[] {
  const all: LogEvent[] = [];
  eventsIn(value, { event: (event) => all.push(event), strange: () => {} });
  return all;
}

test.each<[string, unknown]>([
  ["an event of the API", data],
  ["a webhook", { log_id: "900", data: bare }],
  ["a webhook with several events", { logs: [{ log_id: "900", data: bare }] }],
  ["EventBridge", { id: "1", source: "aws.partner/auth0.com/x", detail: { log_id: "900", data: bare } }],
  ["Event Grid", [{ id: "1", topic: "/x", eventType: "Microsoft.X", eventTime: "2026", data }]],
  ["Event Grid around a webhook", [{ id: "1", subject: "x", data: { log_id: "900", data: bare } }]],
  ["a cloud event", { type: "com.auth0.log", date: "2026", id: "1", data }],
  ["Splunk", { time: 1, sourcetype: "auth0", event: { log_id: "900", data: bare } }],
  ["an export of Splunk", { result: { _raw: JSON.stringify({ log_id: "900", data: bare }) } }],
  ["Datadog", { ddsource: "auth0", service: "auth0", log_id: "900", data: bare }],
  ["an export of Datadog", { id: "x", attributes: { attributes: { log_id: "900", data: bare } } }],
  ["an old event", { ...bare, _id: "900" }],
  ["a subscription of CloudWatch", { messageType: "DATA_MESSAGE", logEvents: [{ id: "1", message: whole }] }],
  ["CloudWatch with a time before the event", { events: [{ message: `2026-11-20T10:00:00.000Z ${whole}` }] }],
  ["Google Cloud", [{ insertId: "1", jsonPayload: data, resource: { type: "global" } }]],
  ["Google Cloud with text", [{ insertId: "1", textPayload: whole }]],
  ["Loki", { data: { resultType: "streams", result: [{ stream: {}, values: [["1764307886000000000", whole]] }] } }],
  ["logcli", { labels: {}, line: whole, timestamp: "2026-11-20T10:00:00Z" }],
])("finds the event of %s", (_, value) => {
  expect(found(value).map(({ type, id, fields }) => [type, id, fields["ip"]])).toEqual([["s", "900", "203.0.113.7"]]);
});

test("counts values beside events that are no events", () => {
  const strange: number[] = [];
  const sink = { event: () => {}, strange: (count: number) => void strange.push(count) };
  expect(eventsIn({ logs: [data, 5, null, { a: 1 }, data] }, sink)).toBe(true);
  expect(strange).toEqual([3]);
});

test("takes a user id as a user, but no name that somebody typed", () => {
  const userOf = (fields: object) => readEvent({ type: "fu", fields: { ...data, ...fields } }, every).user;
  expect(userOf({ user_id: "auth0|1", user_name: "a@example.com" })).toBe("auth0|1");
  expect(userOf({ user_id: "", user_name: "a@example.com" })).toBeUndefined();
});

test("keeps only the first characters of a long text", () => {
  const long = "x".repeat(1_000_000);
  const fields = { ...data, user_id: long, client_id: long, client_name: long, user_agent: long };
  const { user, application, request } = readEvent({ type: "s", fields }, every);
  expect([user, application, request!.client].map((one) => one?.length)).toEqual([500, 500, 500]);
  expect(request!.user_agent).toBeUndefined();
});

test.each([
  [1],
  [null],
  ["text"],
  [{}],
  [{ ...data, type: "" }],
  [[]],
  [{ type: "s" }],
  [{ data: { data: { data: {} } } }],
])("finds no event in %j", (value) => expect(found(value)).toEqual([]));

const facts = (fields: object) => readEvent({ type: "s", fields: { ...data, ...fields } }, every).request;

test("reads every fact that an event has", () => {
  expect(
    facts({
      client_ip: "198.51.100.1",
      hostname: "login.example.com",
      location_info: { country_code: "de" },
      security_context: { ja3: "e7d705a3286e19ea42f587b344ee6865", ja4: "t13d1516h2_8daaf6152771_02713d6af862" },
      user_agent: "curl/8.0",
    }),
  ).toEqual({
    apis: ["authentication"],
    ip: "203.0.113.7",
    connecting_ip: "198.51.100.1",
    hostname: "login.example.com",
    country: "DE",
    ja3: "e7d705a3286e19ea42f587b344ee6865",
    ja4: "t13d1516h2_8daaf6152771_02713d6af862",
    user_agent: "curl/8.0",
  });
});

test("reads nothing from facts that are empty, null or not readable", () => {
  const prints = { security_context: { ja3: "x", ja4: 4 } };
  expect(facts({ ip: "300.1.1.1", hostname: "a b", location_info: null, user_agent: "", ...prints })).toEqual({
    apis: ["authentication"],
  });
});

test("does not take the summary of a user agent for the header", () => {
  for (const agent of [
    "Chrome 120.0.0 / Mac OS X 10.15.7",
    "Other 0.0.0 / Other 0.0.0",
    "Mobile Safari UI/WKWebView 1.2.3 / iOS 17.1.1",
  ]) {
    expect(facts({ user_agent: agent })?.user_agent).toBeUndefined();
  }
  expect(facts({ user_agent: "x 1.0.0 / y 1.0.0", details: { request: { userAgent: "curl/8.0" } } })?.user_agent).toBe(
    "curl/8.0",
  );
});

test("takes the API from the path of the event", () => {
  const apis = (type: string, path?: string) =>
    readEvent({ type, fields: { ...data, details: { request: { path } } } }, every).request?.apis;
  expect(apis("sapi")).toEqual(["management"]);
  expect(apis("sapi", "/oidc/register")).toEqual(["dynamic_client_registration"]);
  expect(apis("scp")).toEqual(["authentication", "management"]);
  expect(apis("acls_summary")).toBeUndefined();
  expect(apis("toString")).toBeUndefined();
});

async function read(text: string, size: number, most?: number) {
  const seen = { values: [] as unknown[], broken: 0, torn: 0 };
  const parts = async function* () {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  };
  const sink = { value: (one: unknown) => seen.values.push(one), broken: () => seen.broken++, torn: () => seen.torn++ };
  await readValues(parts(), sink, most);
  return seen;
}

const one = { a: 'x"}]\\', b: { c: [1, { d: "[{" }] }, e: "é\u2028" };
const two = { logs: [one, one], f: null };
const [line, lines] = [JSON.stringify(one), [one, two].map((value) => JSON.stringify(value)).join("\n")];
const wide = (value: unknown) => JSON.stringify(value, undefined, 2);

test.each<[string, string, readonly unknown[], object?]>([
  ["lines", lines, [one, two]],
  ["lines with blanks and returns", `\r\n ${lines.replaceAll("\n", "\r\n\r\n")}\r\n`, [one, two]],
  ["joined files with a mark in the middle", `${line}\n\ufeff${line}\n`, [one, one]],
  ["lines with zeros at the end", `${lines}\n${"\0".repeat(9)}`, [one, two]],
  ["lines with a time", `2026-11-28T05:31:26.000Z ${line}\n2026-11-28T05:31:27.000Z stream ${line}\n`, [one, one]],
  ["an array", JSON.stringify([one, two]), [[one, two]]],
  ["an array over lines", wide([one, two]), [[one, two]]],
  ["an object over lines", `${wide(two)}\n`, [two]],
  ["arrays on lines", `${JSON.stringify([one])}\n${JSON.stringify([two])}\n`, [[one], [two]]],
  ["an empty file", "", []],
  ["blanks", " \n\t\r\n", []],
  ["broken lines", `${line}\nwords\n{"a":\n${line}\n`, [one, one], { broken: 2 }],
  ["lines of which the first is broken", `{"a":\n${line}\n${line}`, [one, one], { broken: 1 }],
  ["a torn last line", `${line}\n{"a":`, [one], { torn: 1 }],
  ["a torn array", `[${line},{"a":`, [], { torn: 1 }],
  ["a torn array over lines", `[\n${line},\n{"a":`, [], { broken: 3 }],
])("reads %s", async (_what, text, values, troubles = {}) => {
  for (const size of [1, 3, 7, 100_000])
    expect(await read(text, size)).toEqual({ values, broken: 0, torn: 0, ...troubles });
});

test("leaves out a value that is too large, and goes on behind it", async () => {
  const large = JSON.stringify({ a: "x".repeat(1_000) });
  for (const size of [1, 7, 10_000]) {
    expect(await read(`${line}\n${large}\n${line}\n`, size, 500)).toEqual({ values: [one, one], broken: 1, torn: 0 });
    expect(await read(large, size, 500)).toEqual({ values: [], broken: 0, torn: 1 });
  }
  const late = `{"a":\n${`${line}\n`.repeat(20)}`;
  for (const size of [1, 7]) expect((await read(late, size, 500)).values).toHaveLength(20);
});
