/** Makes text safe to print: hides known secrets, and shows control characters as text. The client's log is such text. */
import { excerpt } from "../formats/text/printable";
import { withoutPasswords } from "../formats/text/masked";

/** Hiding shorter secrets would also hide parts of ordinary words. */
const shortest = 6;

/** Every form in which a server may echo a secret, the longest first. All clients of the process share them. */
let known: readonly string[] = [];

/** From now on `legible` hides these values. For a PEM text it also hides every single line of the key. */
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

/** One readable line of a text from outside. Secrets are hidden before the text is cut, because a cut could leave a part of one. */
export function legible(text: string, most?: number): string {
  return excerpt(withoutPasswords(hideSecrets(text)), most);
}

export type Level = "trace" | "debug" | "info" | "warn" | "error";
export type Log = (level: Level, message: string, fields?: Record<string, unknown>) => void;

/** The same log without secrets and control characters. */
export function legibleLog(log: Log): Log {
  const shown = ([name, value]: [string, unknown]) => [name, typeof value === "string" ? legible(value) : value];
  return (level, message, fields) =>
    log(level, legible(message), fields && Object.fromEntries(Object.entries(fields).map(shown)));
}
