/** Everything that other rooms use of the evaluation of network ACLs. */
export { byRecord, effectOf, flagOf } from "./action";
export { type BlockedShares, blockedSharesOf, type Share } from "./blocked-share";
export {
  type Block,
  canonicalBlock,
  contains,
  countAddresses,
  covers,
  formatBlock,
  isAddress,
  isBlockOf,
  parseBlock,
  unmapped,
} from "./cidr";
export { createComparison } from "./comparison";
export { codeMeantBy, countries, countryMeantBy, countryNames } from "./country";
export { criteriaOf, shownEntry, sides } from "./rule";
export { curatedLists } from "./fact-forms";
export { type Acl, decide, endOf, inOrder, outcomesOf, type Verdict } from "./decide";
export { type Change, difference, type Difference, type LoggingChange, loggingChanges, type Side } from "./difference";
export {
  criterionRows,
  type CriterionName,
  factLists,
  factNames,
  hasForm,
  isFact,
  listNames,
  type ListName,
  type ListOfFacts,
  places,
  plainFacts,
  problemIn,
  problemOf,
  problemOfEntry,
  propertyOf,
  protectable,
  refusal,
  rowOf,
  signalsOf,
} from "./fact";
export { quoted } from "./fact-forms";
export { type FactName, type FactTable, factTable } from "./facts";
export { requestNotImplied } from "./implication";
export { mayBeAllowed } from "./allowed";
export { unreachable, type Unreachable } from "./unreachable";
export { type Assumptions, unknownIn, notKnown } from "./assumptions";
export { type Continent, continentOf, continents, internetUsersOf } from "./country";
export { type Extent, outcomeShifts, type Shift, type Shifts } from "./outcome-shares";
export { type Counterexample, createProver, type Proof, type Prover, type Statement } from "./proof";
export {
  type AccessRequest,
  type Api,
  apiOf,
  apis,
  type Facts,
  type FactValues,
  requestOf,
  scopeCovers,
} from "./request";
export { unknownProperties, matches, neverMatches, type Criteria, type Rule } from "./rule";
export { ifDecided } from "./search";
export { entriesOf, signals } from "./signal";
export type { WholeRequest } from "./space";
export { combinationsOf, uncertaintiesOf } from "./uncertainty";
