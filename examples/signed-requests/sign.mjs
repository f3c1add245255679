/** Signs a request (RFC 9421) and sends it: EDGE_KEY=… EDGE_KEY_ID=key_… node sign.mjs URL [HEADER: VALUE]… */
import { createHmac } from "node:crypto";

const { EDGE_KEY, EDGE_KEY_ID } = process.env;
const [url, ...lines] = process.argv.slice(2);
const { host, pathname, search } = new URL(url);

const signed = { "@method": "GET", "@authority": host, "@path": pathname, "@query": search || "?" };
const names = Object.keys(signed).map((name) => `"${name}"`);
const parameters = `(${names.join(" ")});created=${Math.floor(Date.now() / 1000)};keyid="${EDGE_KEY_ID}";alg="hmac-sha256"`;
const base = [
  ...Object.entries(signed).map(([name, value]) => `"${name}": ${value}`),
  `"@signature-params": ${parameters}`,
].join("\n");
const signature = createHmac("sha256", Buffer.from(EDGE_KEY, "base64")).update(base).digest("base64");

const answer = await fetch(url, {
  headers: {
    ...Object.fromEntries(lines.map((line) => line.split(/: (.*)/, 2))),
    "signature-input": `edge=${parameters}`,
    signature: `edge=:${signature}:`,
  },
});
console.log(answer.status);
