/** The last line of defence: what may be written anywhere, with known secrets hidden and control characters shown as text. */

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

/** Controls, line breaks of other scripts, what turns the direction of writing or cannot be seen; not joiners of letters and emoji. */
const unprintable = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

export function hideSecrets(text: string): string {
  return known.reduce((shown, secret) => shown.replaceAll(secret, "(sensitive)"), text);
}

/** For what came from outside and is to be one line. */
export function legible(text: string): string {
  return hideSecrets(text).replace(unprintable, (character) => {
    if (character === "\n") return "\\n";
    return `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`;
  });
}
