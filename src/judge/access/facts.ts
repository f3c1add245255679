/**
 * THE table of what a request has. Schemas, options, words, request sets, address spaces, counts and the reading of logs derive
 * from it: a new fact of a request is one row here.
 */
import * as forms from "./fact-forms";
import { likelyCountry, quoted } from "./fact-forms";

/** A property of `match` and `not_match` with entries that match a fact. */
export interface CriterionRow {
  /** Names the entries: `countries`. */
  readonly plural: string;
  /** Names the entries in messages about their number. Default: `plural`. */
  readonly of?: string;
  /** Describes the property in schemas. */
  readonly help: string;
  readonly example: string | number;
  readonly family?: 4 | 6;
}

export interface FactRow {
  readonly kind: "text" | "address" | "number" | "list";
  readonly noun: string;
  /** Completes "… is not". */
  readonly what: string;
  /** Completes "give". */
  readonly give: string;
  /** Describes the fact in help texts and schemas. */
  readonly help: string;
  /** Stands for the value in help texts of options. */
  readonly placeholder: string;
  readonly example: string | number;
  /** The properties of rules that match the fact. Two properties are one signal, or two if `mayBeTwo`. */
  readonly criteria: { readonly [property: string]: CriterionRow };
  readonly mayBeTwo?: true;
  /** Properties of other facts that tell this one. */
  readonly impliedBy?: readonly string[];
  readonly fits: (text: string) => boolean;
  /** Whether a text has the right form although it is not valid. */
  readonly hasForm?: (text: string) => boolean;
  /** The fact that a text probably stands for. */
  readonly likely?: (text: string) => string | undefined;
  /** Converts a text to the spelling of facts. */
  readonly spell?: (text: string) => string;
  /** The smallest and the largest number. */
  readonly bounds?: readonly [min: number, max: number];
  /** Whether most requests do not have the fact. */
  readonly isRare?: true;
  /** Where an event of the tenant's log has the fact. Left out: no event has it. */
  readonly logged?: string;
  /** The list of such facts in a set of requests. Left out: the same as for one fact. */
  readonly list: { readonly name: string; readonly help: string } & Partial<
    Pick<FactRow, "what" | "give" | "example" | "fits" | "likely">
  >;
}

const address = {
  kind: "address",
  what: "an IP address",
  give: "an IPv4 or IPv6 address, such as 203.0.113.7 or 2001:db8::1",
  placeholder: "address",
  fits: forms.isBlock,
} as const;

const addressList = {
  what: "an IP address or a CIDR block",
  give: "an IPv4 or IPv6 address or block, such as 203.0.113.7, 198.51.100.0/24 or 2001:db8::/32",
  example: "198.51.100.0/24",
  likely: forms.likelyBlock,
} as const;

export const factTable = {
  path: {
    kind: "text",
    noun: "path",
    what: "a path",
    give: "one such as /api/v2/clients, percent-encoded where it must be",
    help: "Path of the request, such as `/api/v2/clients`.",
    placeholder: "path",
    example: "/oauth/token",
    criteria: {},
    fits: forms.isPath,
    list: {
      name: "scopes",
      what: "a scope",
      give: forms.scopeNames
        .map(quoted)
        .join(", ")
        .replace(/, ([^,]*)$/, " or $1"),
      help:
        "Scopes, as of network ACLs: `authentication`, `management`, or `dynamic_client_registration`, which is `/oidc/register` and " +
        "also belongs to `authentication`.",
      example: "authentication",
      fits: forms.isScope,
      likely: forms.likelyScope,
    },
  },
  ip: {
    ...address,
    noun: "address",
    help: "Address of the end user, IPv4 or IPv6.",
    example: "203.0.113.7",
    criteria: {
      ipv4_cidrs: {
        plural: "IPv4 addresses",
        of: "IPv4 blocks",
        help: "IPv4 addresses or CIDR blocks of the end user.",
        example: "203.0.113.0/24",
        family: 4,
      },
      ipv6_cidrs: {
        plural: "IPv6 addresses",
        of: "IPv6 blocks",
        help: "IPv6 addresses or CIDR blocks of the end user.",
        example: "2001:db8::/32",
        family: 6,
      },
    },
    logged: "ip",
    list: { ...addressList, name: "ip_cidrs", help: "Addresses and CIDR blocks of end users, IPv4 and IPv6." },
  },
  connecting_ip: {
    ...address,
    noun: "connecting address",
    help: "Address of the host that connects, such as a proxy. Default: `ip`.",
    example: "198.51.100.7",
    criteria: {
      connecting_ipv4_cidrs: {
        plural: "connecting IPv4 addresses",
        of: "IPv4 blocks",
        help: "IPv4 addresses or CIDR blocks of the host that connects, such as a reverse proxy.",
        example: "198.51.100.7",
        family: 4,
      },
      connecting_ipv6_cidrs: {
        plural: "connecting IPv6 addresses",
        of: "IPv6 blocks",
        help: "IPv6 addresses or CIDR blocks of the host that connects, such as a reverse proxy.",
        example: "2001:db8::7",
        family: 6,
      },
    },
    mayBeTwo: true,
    logged: "client_ip",
    list: {
      ...addressList,
      name: "connecting_ip_cidrs",
      help: "Addresses and CIDR blocks of the hosts that connect, such as proxies.",
    },
  },
  country: {
    kind: "text",
    noun: "country",
    what: "the ISO 3166-1 alpha-2 code of a country",
    give: "two letters, such as DE",
    help: "ISO 3166-1 alpha-2 code of the country.",
    placeholder: "code",
    example: "DE",
    criteria: {
      geo_country_codes: {
        plural: "countries",
        of: "country codes",
        help: "Countries, as ISO 3166-1 alpha-2 codes such as `DE`.",
        example: "KP",
      },
    },
    impliedBy: ["geo_subdivision_codes"],
    fits: forms.isCountry,
    likely: likelyCountry,
    hasForm: forms.hasFormOfCountry,
    spell: forms.upper,
    logged: "location_info.country_code",
    list: { name: "countries", help: "ISO 3166-1 alpha-2 codes of countries." },
  },
  subdivision: {
    kind: "text",
    noun: "region",
    what: "an ISO 3166-2 code",
    give: "country, hyphen and region, such as US-CA",
    help: "ISO 3166-2 code of the region.",
    placeholder: "code",
    example: "US-CA",
    criteria: {
      geo_subdivision_codes: {
        plural: "regions",
        of: "subdivision codes",
        help: "Regions, as ISO 3166-2 codes such as `US-CA`.",
        example: "US-CA",
      },
    },
    fits: forms.isRegion,
    hasForm: forms.hasFormOfRegion,
    likely: forms.likelyRegion,
    spell: forms.upper,
    list: { name: "subdivisions", help: "ISO 3166-2 codes of regions." },
  },
  asn: {
    kind: "number",
    noun: "AS number",
    what: "an AS number",
    give: `a whole number from 0 to ${forms.mostAsn}`,
    help: "AS number of the network.",
    placeholder: "number",
    example: 64500,
    criteria: {
      asns: {
        plural: "AS numbers",
        help: "Autonomous system numbers of the network that the request comes from.",
        example: 64496,
      },
    },
    fits: forms.isAsn,
    likely: forms.likelyAsn,
    bounds: [0, forms.mostAsn],
    list: { name: "asns", help: "AS numbers of networks." },
  },
  user_agent: {
    kind: "text",
    noun: "user agent",
    what: "a user agent",
    give: "the header's value on one line, without characters that cannot be seen",
    help: "User agent.",
    placeholder: "text",
    example: "HashiCorp Terraform/1.11.4",
    criteria: {
      user_agents: {
        plural: "user agents",
        help: "User agents. Auth0 does not see them on self-managed domains.",
        example: "curl/8.5.0",
      },
    },
    fits: forms.isSeen,
    logged: "user_agent",
    list: { name: "user_agents", help: "User agents. The whole header must be equal." },
  },
  hostname: {
    kind: "text",
    noun: "host name",
    what: "a host name",
    give: "one without scheme, port and path, such as login.example.com",
    help: "Host name of the request.",
    placeholder: "name",
    example: "acme.eu.auth0.com",
    criteria: {
      hostnames: {
        plural: "host names",
        help: "Host names that the client requests (TLS server name).",
        example: "login.example.com",
      },
    },
    fits: forms.isHost,
    likely: forms.likelyHost,
    spell: forms.plainHost,
    logged: "hostname",
    list: { name: "hostnames", help: "Host names of requests." },
  },
  ja3: {
    kind: "text",
    noun: "JA3 fingerprint",
    what: "a JA3 fingerprint",
    give: "32 hexadecimal digits",
    help: "JA3 fingerprint of the TLS client.",
    placeholder: "fingerprint",
    example: "e7d705a3286e19ea42f587b344ee6865",
    criteria: {
      ja3_fingerprints: {
        plural: "fingerprints",
        help: "JA3 fingerprints of the TLS client.",
        example: "e7d705a3286e19ea42f587b344ee6865",
      },
    },
    fits: (text) => /^[0-9a-f]{32}$/i.test(text),
    spell: forms.lower,
    logged: "security_context.ja3",
    list: { name: "ja3", help: "JA3 fingerprints of TLS clients." },
  },
  ja4: {
    kind: "text",
    noun: "JA4 fingerprint",
    what: "a JA4 fingerprint",
    give: "one such as t13d1516h2_8daaf6152771_02713d6af862",
    help: "JA4 fingerprint of the TLS client.",
    placeholder: "fingerprint",
    example: "t13d1516h2_8daaf6152771_02713d6af862",
    criteria: {
      ja4_fingerprints: {
        plural: "fingerprints",
        help: "JA4 fingerprints of the TLS client.",
        example: "t13d1516h2_8daaf6152771_02713d6af862",
      },
    },
    // Protocol, version, and whether there is a server name. The rest may be missing.
    fits: (text) => /^[a-z][a-z0-9]{2}[di]\w*$/i.test(text),
    spell: forms.lower,
    logged: "security_context.ja4",
    list: { name: "ja4", help: "JA4 fingerprints of TLS clients." },
  },
  managed: {
    kind: "list",
    noun: "curated list",
    what: "the name of a curated list",
    give: "one such as auth0.tor",
    help: "All curated lists that contain the client, such as `auth0.tor`.",
    placeholder: "list",
    example: "auth0.tor",
    criteria: {
      auth0_managed: {
        plural: "curated lists",
        of: "list names",
        help: "Curated lists of Auth0, such as `auth0.tor`. Early Access.",
        example: "auth0.tor",
      },
    },
    fits: forms.isToken,
    spell: forms.lower,
    isRare: true,
    list: {
      name: "managed",
      help: "Lists that Auth0 keeps, such as `auth0.tor`. At least one of them contains the client.",
      likely: forms.likelyCurated,
    },
  },
  signature_key: {
    kind: "text",
    noun: "signature's key",
    what: "the id of a key",
    give: "one such as key_8mJ2rTqZsWv5nYxB4cKdEf",
    help: "Id of the key that signed the request.",
    placeholder: "id",
    example: "key_8mJ2rTqZsWv5nYxB4cKdEf",
    criteria: {
      http_message_signature: {
        plural: "keys",
        help: "HTTP message signatures made with one of these keys. Early Access.",
        example: "key_8mJ2rTqZsWv5nYxB4cKdEf",
      },
    },
    fits: forms.isToken,
    isRare: true,
    list: { name: "signature_keys", help: "Ids of keys. One of them signed the request." },
  },
} as const satisfies { readonly [name: string]: FactRow };

export type FactTable = typeof factTable;
export type FactName = keyof FactTable;
