package dev.millrace.worker.internal.process;

import java.io.IOException;
import java.util.List;

/** Short commands of the worker's own, which get none of its environment but the {@code PATH}. */
final class ScrubbedCommand {
    private ScrubbedCommand() {}

    /** Removes the worker's environment: it holds secrets that could be read while the command runs. */
    static ProcessBuilder of(ProcessBuilder builder) {
        builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
        return builder;
    }

    /** Runs a command, and tells whether it succeeds. */
    static boolean succeeds(List<String> command) {
        try {
            return of(new ProcessBuilder(command))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
