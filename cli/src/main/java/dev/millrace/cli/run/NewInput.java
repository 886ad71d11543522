package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of commands that run something again, possibly with another input. */
final class NewInput {
    @Option(
            names = {"-i", "--input"},
            paramLabel = "NAME=VALUE",
            description = "One field of a new input, which replaces the old input as a whole. Repeatable.")
    private List<String> fields = new ArrayList<>();

    @Option(
            names = "--input-file",
            paramLabel = "FILE",
            description = "JSON object with a new input, - for standard input; --input adds to it.")
    private @Nullable String file;

    /** Fails if a new input is given, since many runs cannot share one. */
    void requireNone() {
        if (file != null || !fields.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.USAGE, "A new input can be given to one run only: leave --input out, or name one run.");
        }
    }

    /** Adds the new input, if there is one, to a request body. */
    void addTo(ObjectNode body) {
        if (file != null || !fields.isEmpty()) {
            body.set("input", RunInput.read(Optional.ofNullable(file), fields, System.in));
        }
    }
}
