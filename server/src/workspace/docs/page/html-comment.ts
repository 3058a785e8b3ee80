import { htmlFlow, htmlText } from "micromark-core-commonmark";
import type { Code, Construct, Effects, Extension, State, TokenizeContext } from "micromark-util-types";

const LESS_THAN = 60;
const COMMENT_OPENING = [LESS_THAN, 33, 45, 45];

/** Succeeds where `<!--` stands; used as a look-ahead, it consumes nothing. */
const commentOpening: Construct = {
  partial: true,
  tokenize(effects: Effects, ok: State, nok: State): State {
    let position = 0;
    const next = (code: Code): State | undefined => {
      if (code !== COMMENT_OPENING[position]) return nok(code);
      if (position === 0) effects.enter("data");
      position += 1;
      effects.consume(code);
      if (position < COMMENT_OPENING.length) return next;
      effects.exit("data");
      return ok;
    };
    return next;
  },
};

/** MDX turns CommonMark's HTML constructs off by their names; under another name they come back, for comments only. */
function onlyForComments(construct: Construct, name: string): Construct {
  return {
    ...construct,
    name,
    tokenize(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
      return effects.check(commentOpening, construct.tokenize.call(this, effects, ok, nok), nok);
    },
  };
}

/** `<!-- comments -->` in MDX, as Docusaurus allows them. */
export const htmlComment: Extension = {
  flow: { [LESS_THAN]: onlyForComments(htmlFlow, "htmlCommentFlow") },
  text: { [LESS_THAN]: onlyForComments(htmlText, "htmlCommentText") },
};
