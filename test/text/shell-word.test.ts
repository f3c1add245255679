/** Checks that shells read back the quoted words of commands in messages. */
import { spawnSync } from "node:child_process";
import { shellWord } from "../../src/text/shell-word";

test("quotes a word so that a shell reads it back and runs none of it", () => {
  const words = ["acl_8mJ2", "", "a b", "$(touch x)", "`id`", "'; id; '", '"; id; "', "a\\'b\nc", "*~!#&|<>", "é"];
  const { stdout } = spawnSync("sh", ["-c", `printf '%s\\0' ${words.map(shellWord).join(" ")}`], { encoding: "utf8" });
  expect(stdout.split("\0").slice(0, -1)).toEqual(words);
  expect(shellWord("acl_8mJ2")).toBe("acl_8mJ2");
});
