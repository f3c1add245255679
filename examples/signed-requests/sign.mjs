/** Signs a request (RFC 9421) and sends it: EDGE_KEY=… EDGE_KEY_ID=key_… node sign.mjs URL [HEADER: VALUE]… */
import { createHmac } from "node:crypto";

const { EDGE_KEY, EDGE_KEY_ID } = process.env;
const [url, ...lines] = process.argv.slice(2);
const now = Math.floor(Date.now() / 1000);

// Auth0 wants created, expires and keyid, and at most 3600 seconds between the first two.
const parameters = `("@method" "@path");created=${now};expires=${now + 60};keyid="${EDGE_KEY_ID}";alg="hmac-sha256"`;
const base = `"@method": GET\n"@path": ${new URL(url).pathname}\n"@signature-params": ${parameters}`;
const signature = createHmac("sha256", Buffer.from(EDGE_KEY, "base64")).update(base).digest("base64");

const answer = await fetch(url, {
  headers: {
    ...Object.fromEntries(lines.map((line) => line.split(/: (.*)/, 2))),
    "signature-input": `edge=${parameters}`,
    signature: `edge=:${signature}:`,
  },
});
console.log(answer.status);
