/**
 * Applies many random changes of network ACLs in the model: `tsx test/resources/network-acl/rollouts.ts 100000`. A second number
 * is the first seed. Fails at the first apply that locks out a request, or that ends otherwise than planned without an error.
 */
import { appliesOf } from "./support/model";

async function main([count = "100000", first = "1"]: readonly string[]): Promise<void> {
  const ended = new Map<number | "refused", number>();
  for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
    const { applies } = await appliesOf(seed).catch((error: Error) => {
      throw new Error(`Seed ${seed}: ${error.message}`);
    });
    ended.set(applies, (ended.get(applies) ?? 0) + 1);
    const done = seed - Number(first) + 1;
    if (done % 10_000 === 0) process.stderr.write(`${done} of ${count}\n`);
  }
  for (const [applies, runs] of [...ended].toSorted(([one], [other]) => Number(one) - Number(other))) {
    const words =
      applies === "refused"
        ? "rightly refused as a lock-out"
        : applies === Infinity
          ? "still refused after 4 applies"
          : `as planned after ${applies} applies`;
    process.stdout.write(`${runs} of ${count}: ${words}\n`);
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
