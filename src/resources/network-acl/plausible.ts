/** Criteria and actions that the service takes as they are, though they can hardly be meant so. */
import { canonicalBlock, countAddresses, formatBlock, parseBlock } from "../../access/access";
import { each, single } from "../plausible";
import { urlIn } from "../../text/url";

/** A block is often written by an address in it, and a network of millions by a slip in its length. */
export const cidrBlocks = each((written) => {
  const block = parseBlock(written);
  const [address = ""] = written.split("/");
  if (!block || canonicalBlock(address) === formatBlock({ ...block, length: block.family === 4 ? 32 : 128 }))
    return undefined;
  const count = countAddresses([block], block.family);
  const size = count > 1n << 40n ? `2^${count.toString(2).length - 1}` : count.toLocaleString("en-US");
  return `${JSON.stringify(written)} means all ${size} addresses of ${formatBlock(block)}: write it so, or ${address} where it alone is meant.`;
});

export const redirectUri = single((uri) =>
  urlIn(uri) !== undefined && /^https?:\/\//i.test(uri)
    ? undefined
    : `\`redirect_uri\` is ${JSON.stringify(uri)}, no whole URL, where clients would be sent: such as https://example.com/blocked.`,
);

export const userAgents = each((agent) =>
  agent.includes("*")
    ? `${JSON.stringify(agent)} holds a *, which the service does not say to stand for any text: give whole user agents.`
    : undefined,
);
