package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.packages.Command;
import dev.millrace.worker.internal.packages.DenoWords;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A check of the types of one script by Deno, which runs nothing of the script.
 *
 * @param folder with the files of the script
 */
record DenoCheck(List<String> command, Command.Environment environment, Path folder) {
    /** Longest time of a check; types can be programs that never end. */
    static final Duration TIME_MAX = Duration.ofMinutes(2);

    /** Characters of the errors that are shown. */
    private static final int SHOWN_MAX = 8_000;

    /** What Deno adds about itself. */
    private static final Pattern END =
            Pattern.compile("(?s)\\n*error: Type checking failed\\.\\s*(Stack backtrace:.*)?$");

    DenoCheck {
        command = List.copyOf(command);
    }

    /** Whether a script has types to check: JavaScript has none. */
    static boolean isFor(Script script) {
        String name = String.valueOf(script.file().getFileName());
        return name.endsWith(".ts") || name.endsWith(".mts");
    }

    /** @throws LoadException if there are errors */
    void run() {
        Command.Result result;
        try {
            result = Command.run(command, environment, new byte[0], TIME_MAX);
        } catch (IOException e) {
            throw new LoadException("The types of the script cannot be checked: " + e + ".", true);
        }
        if (result.exitCode() != 0) {
            String errors = END.matcher(result.errors()).replaceFirst("");
            throw new LoadException(
                    "The types of the script have errors. Its jobs run nevertheless; \"// millrace: check=off\" at its"
                            + " head turns the check off.\n"
                            + DenoWords.forScripts(
                                    withKnownPaths(errors.substring(0, Math.min(errors.length(), SHOWN_MAX)))),
                    false);
        }
    }

    private String withKnownPaths(String message) {
        return message.replace(folder.toUri().toString(), "").replace(folder + "/", "");
    }
}
