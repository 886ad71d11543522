package dev.millrace.worker.internal.packages;

import java.util.regex.Pattern;

/** Messages of Deno, as far as the author of a script cannot do what they advise. */
public final class DenoWords {
    /** What Deno says of a bare name; its hint is a command for projects, which scripts are not. */
    private static final Pattern BARE = Pattern.compile("Import \"([^\"\\n]{1,400})\" not a dependency"
            + "(?: and not in import map from \"[^\"\\n]*\")?(?:\\n\\s*hint: [^\\n]*`deno add [^\\n]*)?");

    private DenoWords() {}

    /** The message with what the author can do about bare names in imports. */
    public static String forScripts(String message) {
        return BARE.matcher(message)
                .replaceAll(
                        "The import of \"$1\" finds nothing. Write \"npm:$1\" for a package of npm, or \"./$1\" with the"
                                + " ending of the file for one beside the script.");
    }
}
