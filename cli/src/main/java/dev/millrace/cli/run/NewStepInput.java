package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that give a step another input than the one that its flow computes. */
final class NewStepInput {
    @Option(
            names = "--step-input",
            paramLabel = "NAME=VALUE",
            description = "One field of an input for the step, in place of the one that the flow computes. Repeatable.")
    private List<String> fields = new ArrayList<>();

    @Option(
            names = "--step-input-file",
            paramLabel = "FILE",
            description = "JSON object with an input for the step, - for standard input; --step-input adds to it.")
    private @Nullable String file;

    /** Adds the input, if there is one, to a request body. */
    void addTo(ObjectNode body) {
        if (file != null || !fields.isEmpty()) {
            body.set("step_input", RunInput.read(Optional.ofNullable(file), fields, System.in));
        }
    }
}
