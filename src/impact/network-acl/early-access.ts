/** Names the Early Access features that a rule uses. */
const features = {
  match_all: "match_all",
  auth0_managed: "curated lists",
  http_message_signature: "HTTP message signatures",
} as const;

export type EarlyAccess = keyof typeof features;

/** By the names of their attributes. */
export function earlyAccessIn(rule: unknown): EarlyAccess[] {
  const { match_all, match, not_match } = asObject(rule);
  const sides = [match, not_match].map(asObject);
  return (Object.keys(features) as EarlyAccess[]).filter((name) =>
    name === "match_all" ? match_all === true : sides.some((side) => side[name] !== undefined && side[name] !== null),
  );
}

export const earlyAccessWords = (name: EarlyAccess): string => features[name];

/** No attributes if the value is no object. */
const asObject = (value: unknown) => ({ ...(value as { readonly [name: string]: unknown }) });
