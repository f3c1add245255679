/** What is said of a whole plan: by one for all, or by each where Terraform asks about one at a time. */
import { createDoubts } from "../../src/sdk/doubts";

const doubts = (othersMayCome: boolean) =>
  createDoubts(
    async () => {},
    () => othersMayCome,
  );

test("of many who say something one is answered with all of it", async () => {
  const { gathered } = doubts(true);
  const answers = await Promise.all(["a", "b", "c"].map((said) => gathered("topic", said)));
  expect(answers).toEqual([[], [], ["a", "b", "c"]]);
  expect(await gathered("topic", "d")).toEqual(["d"]);
});

test("places that those before have left are waited for: who comes to one says it with them", async () => {
  const ends: (() => void)[] = [];
  const silence = () => new Promise<void>((resolve) => ends.push(resolve));
  const fallSilent = async () => {
    for (const end of ends.splice(0)) end();
    await new Promise(setImmediate);
  };
  const { gathered } = createDoubts(silence, () => true);
  const early = ["a", "b"].map((said) => gathered("topic", said));
  await fallSilent();
  const late = gathered("topic", "c");
  await fallSilent();
  await fallSilent();
  expect(await Promise.all([...early, late])).toEqual([[], [], ["a", "b", "c"]]);
});

test("one at a time, each says its own; what others may put right is not said", async () => {
  const { gathered, unresolved } = doubts(false);
  expect(await Promise.all(["a", "b"].map((said) => gathered("topic", said)))).toEqual([["a"], ["b"]]);
  expect(await unresolved("topic", () => "wrong")).toEqual([]);
});

test("a topic of both kinds is two", async () => {
  const { gathered, unresolved } = doubts(true);
  const answers = await Promise.all([unresolved("topic", () => "wrong"), gathered("topic", "said")]);
  expect(answers).toEqual([["wrong"], ["said"]]);
});
