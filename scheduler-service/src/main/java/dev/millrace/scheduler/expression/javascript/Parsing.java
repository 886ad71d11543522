package dev.millrace.scheduler.expression.javascript;

import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;

/** Syntax check of a script. */
final class Parsing implements Work<Boolean> {
    private final Compiled script;
    private final int prefix;

    /**
     * Creates a check.
     *
     * @param script function to parse
     * @param prefix number of characters before the source in its first line
     */
    Parsing(Compiled script, int prefix) {
        this.script = script;
        this.prefix = prefix;
    }

    @Override
    public Boolean in(Realm realm, Context context) {
        try {
            context.parse(script.function());
            return true;
        } catch (PolyglotException invalid) {
            if (!invalid.isSyntaxError()) {
                throw invalid;
            }
            throw new ScriptInvalid(message(invalid), "Correct the expression; it is read as JavaScript.");
        }
    }

    private String message(PolyglotException invalid) {
        String first = String.valueOf(invalid.getMessage()).lines().findFirst().orElse("it is not JavaScript");
        String reason = first.replaceFirst("^SyntaxError: ", "").replaceFirst("^expression:\\d+:\\d+:? ?", "");
        SourceSection place = invalid.getSourceLocation();
        if (place == null) {
            return reason;
        }
        int line = place.getStartLine();
        if (isBehind(place.getSource(), line)) {
            return reason.replaceFirst(" but found \\)$", " but found its end");
        }
        int column = Math.max(1, place.getStartColumn() - (line == 1 ? prefix : 0));
        return reason + " (" + Excerpt.place(line, column) + ")";
    }

    /** Whether a line has nothing but the end of the function that is put around the expression. */
    private static boolean isBehind(Source function, int line) {
        return line > 1
                && line == function.getLineCount()
                && function.getCharacters(line).toString().startsWith(")");
    }
}
