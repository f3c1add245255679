/** Private keys in the forms in which CI systems store them. */
import { generateKeyPairSync } from "node:crypto";
import { pemIn, signingKey } from "../../../src/tenant/auth/credentials";

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const short = generateKeyPairSync("rsa", { modulusLength: 1024 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const other = generateKeyPairSync("ec", { namedCurve: "P-384" });
const pkcs8 = (pair: typeof rsa) => pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const pem = pkcs8(rsa);
const encoded = (text: string) => Buffer.from(text).toString("base64");
const inLines = (text: string) => text.replace(/.{76}/g, "$&\n");

test.each([
  ["PEM text", pem],
  ["PEM text of PKCS #1", rsa.privateKey.export({ type: "pkcs1", format: "pem" }).toString()],
  ["Windows line ends", pem.replaceAll("\n", "\r\n")],
  ["spaces around it", `\n  ${pem}  \n`],
  ["\\n in two characters", pem.replaceAll("\n", "\\n")],
  ["\\r\\n in four characters", pem.replaceAll("\n", "\\r\\n")],
  ["\\\\n, escaped twice", pem.replaceAll("\n", "\\\\n")],
  ["one line with blanks", pem.trim().replaceAll("\n", " ")],
  ["one line without blanks", pem.replaceAll("\n", "")],
  ["double quotes", JSON.stringify(pem)],
  ["single quotes", `'${pem}'`],
  ["base64 of PEM text", encoded(pem)],
  ["base64 of PEM text, in lines", inLines(encoded(pem))],
  ["base64 of one line with \\n, in quotes", `"${encoded(pem.replaceAll("\n", "\\n"))}"`],
  ["a certificate before the key", `-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n${pem}`],
])("reads a key with %s", async (_, text) => {
  expect((await signingKey(text, "PS256")).equals(rsa.privateKey)).toBe(true);
});

test("reads an EC key of SEC 1, with its parameters before it", async () => {
  const sec1 = ec.privateKey.export({ type: "sec1", format: "pem" }).toString();
  const parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
  expect((await signingKey(parameters + sec1, "ES256")).equals(ec.privateKey)).toBe(true);
});

const cipher = { cipher: "aes-256-cbc", passphrase: "correct horse" } as const;
const body = pem.split("\n").slice(1, -2);
test.each([
  ["is encrypted", rsa.privateKey.export({ type: "pkcs8", format: "pem", ...cipher }).toString(), "it is encrypted"],
  [
    "is encrypted in the older format",
    rsa.privateKey.export({ type: "pkcs1", format: "pem", ...cipher }).toString(),
    "it is encrypted",
  ],
  ["is OpenSSH's", pem.replaceAll("PRIVATE", "OPENSSH PRIVATE"), "it is in OpenSSH's format"],
  ["is public", rsa.publicKey.export({ type: "spki", format: "pem" }).toString(), "it is a public key"],
  ["is a certificate", pem.replaceAll("PRIVATE KEY", "CERTIFICATE"), "it is a certificate"],
  ["has no first line", body.join("\n"), "it has no line -----BEGIN PRIVATE KEY-----"],
  ["is its first line alone", "-----BEGIN PRIVATE KEY-----", "it ends early"],
  ["has no last line", pem.split("\n").slice(0, -2).join("\n"), "it ends early"],
  ["is empty", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----", "nothing is between"],
  ["misses a line", pem.replace(`${body[3]}\n`, ""), "is damaged or incomplete"],
  ["has a backslash", pem.replace(body[3]!, `${body[3]!.slice(1)}\\`), "contains a backslash"],
  ["has another character", pem.replace(body[3]!, `${body[3]!.slice(1)}*`), "contains characters that no key has"],
  ["is there twice", pem + pkcs8(short), "it contains 2 private keys"],
  ["is too short", pkcs8(short), "another kind of key (RSA, 1024 bits), and RS256 needs an RSA key of at least 2048"],
  ["is an EC key", pkcs8(ec as never), "another kind of key (EC, prime256v1), and RS256 needs an RSA key"],
])("refuses a key that %s, and shows nothing of it", async (_, text, problem) => {
  const error = await signingKey(text, "RS256").then(String, ({ message }: Error) => message);
  expect(error).toContain(problem);
  for (const line of body) expect(error).not.toContain(line.slice(0, 12));
  expect(error).not.toMatch(/openssl|asn1|decoder|DECODER|error:/);
});

test("refuses an EC key of another curve for ES256", async () => {
  await expect(signingKey(pkcs8(other as never), "ES256")).rejects.toThrow(
    "(EC, secp384r1), and ES256 needs an EC key",
  );
});

test("writes the key in lines of 64 characters, so that each of them can be hidden", () => {
  expect(pemIn(pem.replaceAll("\n", "\\n"))).toBe(pem);
});
