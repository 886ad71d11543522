package dev.millrace.cli.client;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.util.regex.Pattern;

/**
 * Text that shows a server who calls.
 *
 * @param text goes into the header {@code Authorization}
 * @param origin where the text comes from, for messages, for example {@code the context prod}
 */
public record Token(String text, String origin) {
    /** What RFC 6750 allows. */
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~+/-]{1,4096}=*");

    public Token {
        if (!FORM.matcher(text).matches()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The token of " + origin + " is empty or holds a space, a line end or another character that no"
                            + " token has. Copy it again as a whole.");
        }
    }

    /** Hides the text, so that no message shows it. */
    @Override
    public String toString() {
        return "token of " + origin;
    }
}
