/** Reads expressions of provider blocks from plans, in HCL and in JSON syntax. */
import { knownValue } from "../../src/review/input/expression";
import { plan } from "./support/plan";

const own = plan([], {
  variables: { ip: { value: "192.0.2.1" }, all: { value: ["192.0.2.1"] } },
  configuration: { root_module: { variables: { ip: { sensitive: true } } } },
});
const of = (expression: object, config = {}) => knownValue(expression, own, config);

test.each([
  ["a constant", { constant_value: "x" }, { value: "x", isSecret: false }],
  ["a list", { constant_value: ["x"] }, { value: ["x"], isSecret: false }],
  ["a variable", { references: ["var.ip"] }, { value: "192.0.2.1", isSecret: true }],
  [
    "a variable in JSON syntax",
    { constant_value: "${var.ip}", references: ["var.ip"] },
    { value: "192.0.2.1", isSecret: true },
  ],
])("knows %s", (_, expression, known) => {
  expect(of(expression)).toEqual(known);
});

test.each([
  ["a text around a variable in JSON syntax", { constant_value: "${var.ip}/32", references: ["var.ip"] }],
  ["a list with a variable in JSON syntax", { constant_value: ["${var.ip}"], references: ["var.ip"] }],
  ["a function in JSON syntax", { constant_value: '${upper("x")}' }],
  ["a local value", { references: ["local.ip"] }],
  ["two variables", { references: ["var.ip", "var.all"] }],
  ["a variable that is a list, in place of a text", { references: ["var.all"] }],
])("does not know %s", (_, expression) => {
  expect(of(expression)).toBeUndefined();
});

test("does not know the variable of a module", () => {
  expect(of({ references: ["var.ip"] }, { module_address: "module.edge" })).toBeUndefined();
});
