// Data of the page that plays searches.

/** An event of a search: its kind, node, detail and the reason of a cut. */
export type SearchEvent = [kind: string, node: number, detail: any, reason: string];

/** A search. Each step has a sentence and events. */
export interface Search { steps: [string, SearchEvent[]][]; prefix: string; windows: string; sum: string }

/** The searched tree. Lists are by node. */
export interface Tree {
  names: string[];
  kinds: string[];
  parents: (number | null)[];
  leaves: boolean[];
  leafCount: number;
  /** Placement, moved squares and short name; null without boards. */
  boards: [string, string[] | null, string][] | null;
  blackBelow: boolean;
  searches: Search[];
}
