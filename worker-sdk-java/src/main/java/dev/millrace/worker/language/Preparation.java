package dev.millrace.worker.language;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What a language has at hand while it prepares a version. */
public interface Preparation {
    /** The version, whose files must not be changed. */
    ScriptVersion script();

    /** Empty folder for what is made. It is used only if the preparation ends without an exception. */
    Path target();

    /**
     * Folder that all preparations of the language share, those of other workers of the machine included, for what makes
     * the next one faster. It may be empty whenever a preparation begins.
     */
    Path cache();

    /** Writes a line to the log of the job that waits. */
    void log(String line);

    /**
     * Runs a program, such as a compiler, with standard input closed, and waits for its end. It ends with the worker, and
     * after 15 minutes.
     *
     * @param variables variables beside {@code PATH}, {@code LANG} and {@code HOME}
     * @return the exit code, and what the program wrote to standard output and standard error
     * @throws IOException if it cannot be started
     */
    Ended run(List<String> command, Map<String, String> variables) throws IOException;

    /**
     * How a program ended.
     *
     * @param exitCode 0 for success
     */
    record Ended(int exitCode, String output, String errors) {}
}
