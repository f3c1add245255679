/** Writes the state of the playground into the fragment of a link, and reads it back. A browser sends no fragment to a server. */
import { ReviewError } from "../../../review/error";

export interface Shared {
  /** ACLs or a plan. */
  readonly text: string;
  /** The fields of the form. */
  readonly request: Readonly<Record<string, string>>;
}

/** Chat programs break longer links. */
export const mostLinkCharacters = 16_000;
/** A short link can hold a long text, because the text is compressed. */
const mostBytes = 1024 * 1024;
const version = "1.";

export async function fragmentOf(shared: Shared): Promise<string> {
  const bytes = await compressed(new TextEncoder().encode(JSON.stringify(shared)));
  const fragment = version + base64UrlOf(bytes);
  if (fragment.length > mostLinkCharacters) {
    throw new ReviewError(
      `The link would have ${fragment.length} characters, and many programs cut links above ${mostLinkCharacters}. ` +
        "Leave out ACLs that do not matter, or send the text as a file.",
    );
  }
  return fragment;
}

/** Throws if a person or a program changed the link. `fragment`: without the `#`. */
export async function sharedIn(fragment: string): Promise<Shared> {
  if (fragment.length > mostLinkCharacters) throw unreadable();
  if (!fragment.startsWith(version)) throw unreadable();
  let read: unknown;
  try {
    read = JSON.parse(
      new TextDecoder("utf-8", { fatal: true }).decode(await expanded(bytesOf(fragment.slice(version.length)))),
    );
  } catch (error) {
    if (error instanceof ReviewError) throw error;
    throw unreadable();
  }
  return checked(read);
}

const unreadable = () =>
  new ReviewError("The link is damaged or incomplete. Ask for the whole link, or for the text itself.");

function checked(read: unknown): Shared {
  const { text, request = {} } = (read ?? {}) as { readonly [name: string]: unknown };
  const isText = (value: unknown) => typeof value === "string";
  if (!isText(text)) throw unreadable();
  if (typeof request !== "object" || request === null || !Object.values(request).every(isText)) throw unreadable();
  return { text: text as string, request: request as Shared["request"] };
}

const compressed = (bytes: Uint8Array<ArrayBuffer>) =>
  bytesFrom(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw")), Infinity);

const expanded = (bytes: Uint8Array<ArrayBuffer>) =>
  bytesFrom(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")), mostBytes);

async function bytesFrom(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new ReviewError(`The link holds more than ${most / 1024 / 1024} MB. Ask for the text as a file.`);
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function base64UrlOf(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]*$/.test(text)) throw unreadable();
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
}
