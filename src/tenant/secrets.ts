/** Text that may be written anywhere: known secrets are hidden in it, and control characters are shown as text. */
import { excerpt } from "../text/excerpt";
import { withoutPasswords } from "../text/masked";

/** Shorter ones could not be hidden without spoiling ordinary words. */
const shortest = 6;

/** Every form in which a secret may be echoed, the longest first. Kept by the process: a secret is one for all of it. */
let known: readonly string[] = [];

/** From now on `legible` hides these values. Of a PEM text every line of the key counts by itself. */
export function keepSecret(...values: readonly (string | undefined)[]): void {
  const forms = values.flatMap((value = "") => {
    const lines = value.split(/\r?\n/).filter((line) => !line.startsWith("-----"));
    return [value, value.trim(), ...lines].flatMap((text) => [
      text,
      encodeURIComponent(text.replace(/\p{Cs}/gu, "")),
      inJson(text),
      inJson(inJson(text)),
    ]);
  });
  known = [...new Set([...known, ...forms.filter((form) => form.length >= shortest)])].toSorted(
    (one, other) => other.length - one.length,
  );
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

export function hideSecrets(text: string): string {
  return known.reduce((shown, secret) => shown.replaceAll(secret, "(sensitive)"), text);
}

/** For what came from outside and must be one line: as much of it as people read. Secrets go first, as a cut would leave their beginning. */
export function legible(text: string, most?: number): string {
  return excerpt(withoutPasswords(hideSecrets(text)), most);
}
