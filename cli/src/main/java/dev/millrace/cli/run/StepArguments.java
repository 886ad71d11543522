package dev.millrace.cli.run;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Parameters;

/** Arguments of commands about a step: ids of runs, unless options select the runs, and the key of the step last. */
final class StepArguments {
    @Parameters(
            paramLabel = "[ID...] STEP",
            arity = "1..*",
            description = "Ids of the runs, each " + RunIds.FORMS
                    + ", omitted with --flow, --all and the like; then the key of the step, for example"
                    + " 'count[3].tokenize'.")
    private List<String> arguments = new ArrayList<>();

    List<String> runIds() {
        return arguments.subList(0, arguments.size() - 1);
    }

    String step() {
        if (arguments.isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, "Name the step, for example 'count[3].tokenize'.");
        }
        return arguments.getLast();
    }
}
