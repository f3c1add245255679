/** Finds the facts by which the rules distinguish requests, so that few requests stand for all requests of a log. */
import { criteriaOf, sides, type Acl, type Api } from "../access/access";
import { addressDimension } from "./address-dimension";
import { cached } from "./cached";
import { createClasses, type Dimension, type List } from "./fact-class";
import { managedDimension } from "./managed-dimension";
import { placeDimension } from "./place-dimension";
import { fingerprint, textDimension, type TextFact } from "./text-dimension";

/** The dimensions that the rules use. */
export function dimensionsOf(acls: readonly Acl[]): Dimension[] {
  const active = acls.filter((acl) => acl.active);
  const lists = (property: string): List[] =>
    active.flatMap(({ rule }) =>
      sides.flatMap((side) =>
        criteriaOf(rule, side).flatMap(({ entries, properties }) =>
          properties.includes(property)
            ? [entries.filter((entry) => entry.property === property).map(({ text }) => text)]
            : [],
        ),
      ),
    );
  const both = (prefix: string) => [...lists(`${prefix}ipv4_cidrs`), ...lists(`${prefix}ipv6_cidrs`)];
  const texts: [List[], TextFact][] = [
    [lists("asns"), { name: "asn", value: () => undefined, candidate: (text) => ({ asn: Number(text) }) }],
    [
      lists("user_agents"),
      { name: "user_agent", value: (request) => request.user_agent, candidate: (text) => ({ user_agent: text }) },
    ],
    [
      lists("hostnames"),
      {
        name: "hostname",
        value: (request) => request.hostname,
        candidate: (text) => ({ hostname: text }),
        spell: (text) => text.toLowerCase().replace(/\.$/, ""),
      },
    ],
    [lists("ja3_fingerprints"), fingerprint("ja3")],
    [lists("ja4_fingerprints"), fingerprint("ja4")],
    [
      lists("http_message_signature"),
      { name: "signature_key", value: () => undefined, candidate: (text) => ({ signature_key: text }) },
    ],
  ];
  const addresses: [List[], () => Dimension][] = [
    [both(""), () => addressDimension("ip", both(""), (request) => request.ip)],
    [
      both("connecting_"),
      () => addressDimension("connecting_ip", both("connecting_"), (request) => request.connecting_ip),
    ],
    [
      [...lists("geo_country_codes"), ...lists("geo_subdivision_codes")],
      () => placeDimension(lists("geo_country_codes"), lists("geo_subdivision_codes")),
    ],
    [lists("auth0_managed"), () => managedDimension(lists("auth0_managed"))],
  ];
  return [
    apiDimension(),
    ...addresses.flatMap(([own, create]) => (own.length > 0 ? [create()] : [])),
    ...texts.flatMap(([own, fact]) => (own.length > 0 ? [textDimension(own, fact)] : [])),
  ];
}

function apiDimension(): Dimension {
  const create = createClasses();
  const known = cached((apis) => create("api", new Map(apis.split(" ").map((api) => [api, { api: api as Api }]))));
  return { classOf: ({ apis }) => known(apis.length === 1 ? apis[0]! : apis.join(" ")) };
}
